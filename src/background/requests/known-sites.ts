/**
 * Domains of sites for Bitcoin to which people connect wallets, and that are therefore imitated; only those known for certain.
 * None whose name is a common word, such as `bitcoin` or `ordinals`, which honest sites have in theirs. A site that the person
 * uses counts as known too.
 */
export const KNOWN_SITES: readonly string[] = [
  'alexlab.co',
  'arkadiko.finance',
  'atomicalmarket.com',
  'babylonlabs.io',
  'bestinslot.xyz',
  'bitflow.finance',
  'bouncebit.io',
  'chainflip.io',
  'coredao.org',
  'dotswap.app',
  'fractalbitcoin.io',
  'geniidata.com',
  'gobob.xyz',
  'leather.io',
  'liquidium.fi',
  'luminex.io',
  'magiceden.io',
  'magisat.io',
  'merlinchain.io',
  'okx.com',
  'ordinalsbot.com',
  'ordinalswallet.com',
  'ordzaar.com',
  'saturnbtc.io',
  'stackingdao.com',
  'stacks.co',
  'thorswap.finance',
  'unisat.io',
  'xverse.app',
  'zestprotocol.com',
]
