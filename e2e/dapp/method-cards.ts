/** One provider method as a card: what it takes, what it gives, and arguments that can be run as they are. */
export type MethodCard = {
  method: string
  signature: string
  about: string
  /**
   * The arguments as a JSON array; `$address` and `$publicKey` stand for the connected account, `$signed` for what it signed
   * last, `$split` for the transaction that splitUtxo made last.
   */
  args: unknown[]
  /** Those of the server are made from the account's coins, or with something that it has inscribed to the account. */
  examples?: readonly Example[]
  /** Shows an approval in the wallet. */
  asks: boolean
}

export type ExampleName =
  | 'pay'
  | 'list'
  | 'buy'
  | 'chain'
  | 'picture'
  | 'large'
  | 'batch'
  | 'atomical'
  | 'together'
  | 'runes'
  | 'open-rune'
  | 'new-rune'
  | 'deploy'
  | 'mint'
  | 'transfer'
  | 'image'
  | 'images'
  | 'tokens'

/** Arguments that the server makes, or that are written as they are. */
export type Example = { label: string } & ({ name: ExampleName } | { args: unknown[] })

export type CardGroup = { title: string; cards: MethodCard[] }

/** On regtest, the first address of the test words of BIP-86: "abandon … about". */
const RECIPIENT = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const INSCRIPTION = `${'0'.repeat(64)}i0`
const RUNE = 'UNCOMMON•GOODS'

/** After splitUtxo, and signPsbt of a purchase with its coins. */
const SPLIT_AND_PURCHASE = [
  { itemId: 'purchase', signedTx: '$signed', type: 52, dependItemId: ['split'] },
  { itemId: 'split', signedTx: '$split', type: 52 },
]

export const CARD_GROUPS: readonly CardGroup[] = [
  {
    title: 'Account',
    cards: [
      {
        method: 'connect',
        signature: 'connect()',
        about: 'Asks for the current account: its address and public key.',
        args: [],
        asks: true,
      },
      {
        method: 'requestAccounts',
        signature: 'requestAccounts()',
        about: 'Asks like connect; gives a list with the address.',
        args: [],
        asks: true,
      },
      {
        method: 'getAccounts',
        signature: 'getAccounts()',
        about: 'The connected address, or an empty list. Never asks.',
        args: [],
        asks: false,
      },
      {
        method: 'getNetwork',
        signature: 'getNetwork()',
        about: 'The network in use, such as livenet or regtest.',
        args: [],
        asks: false,
      },
      {
        method: 'getPublicKey',
        signature: 'getPublicKey()',
        about: 'The public key of the connected account, in hex.',
        args: [],
        asks: false,
      },
      {
        method: 'getBalance',
        signature: 'getBalance()',
        about: 'Confirmed, unconfirmed and total satoshis.',
        args: [],
        asks: false,
      },
      {
        method: 'getInscriptions',
        signature: 'getInscriptions(cursor?, size?)',
        about: 'A page of the inscriptions on the address, what came last first.',
        args: [0, 20],
        asks: false,
      },
      {
        method: 'getRunes',
        signature: 'getRunes(offset?, limit?)',
        about: 'A page of the runes on the address, with the outputs that they are on.',
        args: [0, 20],
        asks: false,
      },
      {
        method: 'deriveContextHash',
        signature: 'deriveContextHash(appName, context)',
        about:
          'Gives an app 32 secret bytes in hex, the same for the same account, network, name and context (hex).',
        args: ['playground', 'deadbeef'],
        asks: true,
      },
      {
        method: 'switchNetwork',
        signature: 'switchNetwork(name)',
        about:
          'Asks for another network: livenet, testnet4, signet or regtest. Gives its name; nothing is asked on the one in use.',
        examples: [
          { label: 'Signet', args: ['signet'] },
          { label: 'Back to regtest', args: ['regtest'] },
        ],
        args: ['regtest'],
        asks: true,
      },
      {
        method: 'disconnect',
        signature: 'disconnect()',
        about: 'Gives up the permission of this site.',
        args: [],
        asks: false,
      },
    ],
  },
  {
    title: 'Sign',
    cards: [
      {
        method: 'signMessage',
        signature: 'signMessage(text, type?)',
        about: 'Signs a text; type is ecdsa, bip322-simple or bip322.',
        args: ['Hello from the playground', 'bip322-simple'],
        asks: true,
      },
      {
        method: 'signMessages',
        signature: 'signMessages(messages)',
        about: 'Signs several texts with one question, each with its own type.',
        args: [
          [
            { text: 'Hello from the playground', type: 'bip322-simple' },
            { text: 'Hello again', type: 'ecdsa' },
          ],
        ],
        asks: true,
      },
      {
        method: 'signPsbt',
        signature: 'signPsbt(psbtHex, options?)',
        about: 'Signs the inputs of this account and gives the PSBT back.',
        examples: [
          { name: 'pay', label: 'Pay' },
          { name: 'list', label: 'List for sale' },
          { name: 'buy', label: 'Buy with split coins' },
        ],
        args: [
          '70736274ff…',
          { autoFinalized: true, toSignInputs: [{ index: 0, address: '$address' }] },
        ],
        asks: true,
      },
      {
        method: 'signPsbts',
        signature: 'signPsbts(psbtHexs, options?)',
        about: 'Several PSBTs in one approval.',
        examples: [{ name: 'chain', label: 'Two, one after the other' }],
        args: [['70736274ff…', '70736274ff…'], { autoFinalized: true }],
        asks: true,
      },
    ],
  },
  {
    title: 'Pay',
    cards: [
      {
        method: 'sendBitcoin',
        signature: 'sendBitcoin(to, satoshis, options?)',
        about: 'Pays satoshis to an address; feeRate in sat/vB.',
        args: [RECIPIENT, 25_000, { feeRate: 2 }],
        asks: true,
      },
      {
        method: 'send',
        signature: 'send({ from, to, value, … })',
        about: 'Pays an amount in BTC; memo becomes an OP_RETURN output at place memoPos.',
        args: [
          {
            from: '$address',
            to: RECIPIENT,
            value: '0.0005',
            satBytes: '2',
            memo: 'Hello, block',
            memoPos: 1,
          },
        ],
        asks: true,
      },
      {
        method: 'sendTransfer',
        signature: 'sendTransfer({ recipients, feeRate? })',
        about: 'Pays 1 to 100 recipients in one transaction: satoshis to each address.',
        examples: [{ label: 'Five', args: [transferTo(5)] }],
        args: [transferTo(2)],
        asks: true,
      },
      {
        method: 'splitUtxo',
        signature: 'splitUtxo({ from, amount? })',
        about:
          'Signs small coins for a marketplace; broadcast with what spends them first. $split is the transaction.',
        args: [{ from: '$address', amount: 2 }],
        asks: true,
      },
    ],
  },
  {
    title: 'Inscriptions, Atomicals and runes',
    cards: [
      {
        method: 'sendInscription',
        signature: 'sendInscription(address, inscriptionId, options?)',
        about: 'Sends one inscription, whose id may end in -Ordinals, or one Atomical: -Atomicals.',
        examples: [
          { name: 'picture', label: 'A picture' },
          { name: 'large', label: 'On a coin of 0.01 BTC' },
          { name: 'atomical', label: 'An Atomical' },
        ],
        args: [RECIPIENT, INSCRIPTION, { feeRate: 2 }],
        asks: true,
      },
      {
        method: 'transferNft',
        signature: 'transferNft({ from, to, data, feeRate? })',
        about:
          'Sends inscriptions and Atomicals in one transaction; to may be a list, one address for each of data.',
        examples: [
          { name: 'batch', label: 'Three at once' },
          { name: 'together', label: 'Atomicals and inscriptions together' },
        ],
        args: [{ from: '$address', to: RECIPIENT, data: [INSCRIPTION] }],
        asks: true,
      },
      {
        method: 'sendRunes',
        signature: 'sendRunes({ recipients, feeRate? })',
        about:
          'Sends runes in one transaction: of each recipient’s rune (name or id) an amount, or units of the smallest kind.',
        examples: [{ name: 'runes', label: 'Two of a rune, etched for it' }],
        args: [{ recipients: [{ address: RECIPIENT, rune: RUNE, amount: '1' }], feeRate: 2 }],
        asks: true,
      },
      {
        method: 'mintRune',
        signature: 'mintRune({ rune, count?, feeRate? })',
        about: 'Mints a rune 1 to 24 times, a transaction each, as long as its terms allow it.',
        examples: [{ name: 'open-rune', label: 'Three of a rune, etched for it' }],
        args: [{ rune: RUNE, count: 1, feeRate: 2 }],
        asks: true,
      },
      {
        method: 'etchRune',
        signature: 'etchRune({ name, symbol?, divisibility?, premine?, terms?, … })',
        about:
          'Etches a rune: pays a commit to its name, and reveals it six blocks later, when the wallet is open or not.',
        examples: [{ name: 'new-rune', label: 'With a premine and open mints' }],
        args: [{ name: 'SOME•NEW•RUNE•OF•MINE', premine: '1000', feeRate: 2 }],
        asks: true,
      },
      {
        method: 'estimateMintRune',
        signature: 'estimateMintRune({ rune, count?, feeRate? })',
        about: 'What mints would cost, by the coins that there are now.',
        examples: [{ name: 'open-rune', label: 'Three of a rune, etched for it' }],
        args: [{ rune: RUNE, count: 1, feeRate: 2 }],
        asks: false,
      },
      {
        method: 'estimateEtchRune',
        signature: 'estimateEtchRune({ name, … })',
        about: 'What an etching would cost, by the coins that there are now.',
        args: [{ name: 'SOME•NEW•RUNE•OF•MINE', premine: '1000', feeRate: 2 }],
        asks: false,
      },
      {
        method: 'mint',
        signature: 'mint({ type, from, inscriptions, … })',
        about:
          'Inscribes 1 to 24 at once: 60 deploy, 50 mint, 51 transfer of BRC-20, 61 text, 62 image.',
        examples: [
          { name: 'deploy', label: 'BRC-20 deploy' },
          { name: 'mint', label: 'BRC-20 mint' },
          { name: 'transfer', label: 'BRC-20 transfer' },
          { label: 'Two texts', args: [mintOfTexts('Hello, block', 'Hello again')] },
          { name: 'image', label: 'An image' },
          { name: 'images', label: 'Five images' },
        ],
        args: [mintOfTexts('Hello, block')],
        asks: true,
      },
      {
        method: 'inscribe',
        signature: 'inscribe({ from, tick, … })',
        about:
          'Inscribes a BRC-20 transfer; the wallet asks how much. Gives the txid of the reveal.',
        examples: [{ name: 'tokens', label: 'With 1,000 minted for it' }],
        args: [{ type: 51, from: '$address', tick: 'ordi' }],
        asks: true,
      },
    ],
  },
  {
    title: 'Broadcast',
    cards: [
      {
        method: 'pushTx',
        signature: 'pushTx(rawTx)',
        about: 'Broadcasts a signed transaction.',
        args: ['0200000001…'],
        asks: false,
      },
      {
        method: 'pushPsbt',
        signature: 'pushPsbt(psbtHex)',
        about:
          'Finalizes, extracts and broadcasts a signed PSBT; $signed is what signPsbt gave last.',
        args: ['$signed'],
        asks: false,
      },
      {
        method: 'sendPsbt',
        signature: 'sendPsbt(items, from)',
        about:
          'Broadcasts transactions that may depend on each other, such as the two of signPsbts.',
        examples: [{ label: 'A purchase and its split', args: [SPLIT_AND_PURCHASE, '$address'] }],
        args: [
          [
            { itemId: 'second', signedTx: '$signed[1]', type: 20, dependItemId: ['first'] },
            { itemId: 'first', signedTx: '$signed[0]', type: 20 },
          ],
          '$address',
        ],
        asks: false,
      },
    ],
  },
]

/** 10,000 sats to the first, 1,000 more to each that follows; one of them is the account itself. */
function transferTo(count: number) {
  const recipients = Array.from({ length: count }, (_, at) => ({
    address: at === 1 ? '$address' : RECIPIENT,
    amount: 10_000 + at * 1_000,
  }))
  return { recipients, feeRate: 2 }
}

function mintOfTexts(...texts: string[]) {
  const contentType = 'text/plain;charset=utf-8'
  const inscriptions = texts.map(body => ({ contentType, body }))
  return { type: 61, from: '$address', inscriptions }
}
