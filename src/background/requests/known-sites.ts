/**
 * Domains of sites for Bitcoin to which people connect wallets, and that are therefore imitated; only those known for certain.
 * None whose name is a common word, such as `bitcoin` or `ordinals`, which honest sites have in theirs. A site that the person
 * uses counts as known too.
 */
export const KNOWN_SITES: readonly string[] = [
  'babylonlabs.io',
  'bestinslot.xyz',
  'bitflow.finance',
  'dotswap.app',
  'geniidata.com',
  'leather.io',
  'liquidium.fi',
  'luminex.io',
  'magiceden.io',
  'okx.com',
  'ordinalsbot.com',
  'ordzaar.com',
  'saturnbtc.io',
  'stacks.co',
  'unisat.io',
  'xverse.app',
]
