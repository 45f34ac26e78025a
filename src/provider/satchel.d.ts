// Made from the wallet's OpenRPC document by `npm run openrpc`. Take it into your project as it is.

/** Both keys are the same one. `ordinals` is there where the account has a Taproot address for inscriptions and runes beside the other. */
export type Account = {
  address: Address
  publicKey: PublicKey
  compressedPublicKey: PublicKey
  ordinals?: {
    address: Address
    publicKey: PublicKey
  }
}

/** The address of the connected account, or nothing. */
export type Accounts = Address[]

export type Address = string

export type AddressText = string

/** Sats. A bigint crosses as its decimal text. */
export type Amount = number | string

/** Sats. What is on its way out makes `unconfirmed` negative. */
export type Balance = {
  confirmed: number
  unconfirmed: number
  total: number
}

export type BatchItem = {
  itemId: string
  signedTx: string | RawTransaction
  /** 52 for BRC-20, 20 for an NFT; it labels the activity. */
  type: number
  /** Items that are sent before this one. */
  dependItemId?: string[] | null
  extJson?: {
    inscription?: string | null
  } | null
}

/** BTC, exactly: at most eight decimals. In a text commas may stand between all thousands; a comma is never a decimal sign. */
export type BtcAmount = string | number

export type FeeOptions = {
  feeRate?: FeeRate
} | null

/** sat/vB. A number is rounded up to three decimals. Where it is left out, the wallet takes what brings a transaction into a block within half an hour. */
export type FeeRate = number | string | null

/** An inscription, or an NFT of Atomicals: its id ends in -Atomicals. */
export type Inscription = {
  inscriptionId: string
  /** Negative for cursed ones. */
  inscriptionNumber: number
  address: Address
  outputValue: number
  /** Bytes. */
  contentLength: number
  /** MIME type; empty where it names none. */
  contentType: string
  /** Of the block that revealed it, in seconds since 1970. */
  timestamp: number
  /** Sats before it within the output. */
  offset: number
  /** Transaction id and index of the output. */
  output: string
  genesisTransaction: Txid
  /** Transaction id, index of the output and offset. */
  location: string
}

/** Transaction id, `i` and index. Behind an inscription -Ordinals or nothing, behind an Atomical -Atomicals. */
export type InscriptionId = string

export type InscriptionPage = {
  total: number
  list: Inscription[]
}

export type MintItem = {
  /** MIME type. */
  contentType?: string | null
  /** The text; of an image the bytes in hex; of BRC-20 the JSON of the operation. */
  body: string
}

export type MintResult = {
  commitTx: Txid
  /** One an item. */
  revealTxs: Txid[]
  commitTxFee: number
  revealTxFees: number[]
  /** Addresses that the commit pays to, one an item. */
  commitAddrs: Address[]
  /** sat/vB */
  feeRate: number
  /** Sats of each inscription. */
  size: number
}

/** `livenet` is Bitcoin itself. */
export type NetworkName = string

export type Psbt = string

/** Compressed public key, 33 bytes in hex. */
export type PublicKey = string

/** A signed transaction in hex. */
export type RawTransaction = string

export type Recipient = {
  address: string
  amount: Amount
}

/** By the coins that there are now, in sats; nothing is reserved. */
export type RuneEstimate = {
  /** Of all transactions. */
  fee: number
  /** Stays with the account, on outputs of their own. */
  postage: number
  /** What the account can spend less afterwards. */
  total: number
  /** Virtual bytes. */
  vsize: number
}

export type RuneEtching = {
  /** With • between its words. */
  name: string
  /** One character. */
  symbol?: string | null
  /** Digits behind the point that an amount can have. */
  divisibility?: number | null
  premine?: string | null
  /** Who may mint how much. Nobody where it is missing. */
  terms?: {
    /** Of one mint, in whole runes. */
    amount: string
    /** How many mints there are. */
    cap: string
    /** Blocks by their height. */
    height?: {
      /** The first block with mints. */
      start?: number | null
      /** The first block without. */
      end?: number | null
    } | null
    /** Blocks counted from the one that etches. */
    offset?: {
      /** The first block with mints. */
      start?: number | null
      /** The first block without. */
      end?: number | null
    } | null
  } | null
  /** Opts into later changes of the protocol. */
  turbo?: boolean | null
  /** What the same transaction inscribes. */
  inscription?: {
    contentType: string
    base64: string
  } | null
  feeRate?: FeeRate
}

export type RuneMint = {
  /** Its name, with or without spacers, or its id. */
  rune: string
  /** How often, a transaction each. */
  count?: number | null
  feeRate?: FeeRate
}

export type SentTransfer = {
  txid: Txid
}

/** A PSBT in lower-case hex. */
export type SignedPsbt = string

/** An input, and whose it is. The address wins where both are there; unknown members are ignored. */
export type SignInput = {
  index: number
  address?: string | null
  publicKey?: string | null
  sighashTypes?: number[] | null
  /** Taproot: sign with the key as it is. */
  disableTweakSigner?: boolean | null
  /** The opposite of disableTweakSigner; wins over it. */
  useTweakedSigner?: boolean | null
}

export type SignOptions = {
  /** Finalize what can be; the rest stays as it is. */
  autoFinalized?: boolean | null
  /** The sighash types in the PSBT count as asked for. Those that leave something to others need a second confirmation then. */
  psbtSighashes?: boolean | null
  /** The wallet finalizes and sends it, and says so when it asks. Where one PSBT of a request says so, all are sent. */
  broadcast?: boolean | null
  /** None, or an empty list: every input of the connected account. */
  toSignInputs?: SignInput[] | null
}

export type Txid = string

export type TxHash = {
  txhash: Txid
}

/** A coin of a transaction that the wallet sends before the first one that spends it. */
export type UtxoRecord = {
  txId: Txid
  vOut: number
  amount: number
  /** The signed transaction in hex, the same in each record. */
  rawTransaction: string
}

/** `window.satchel.bitcoin`. Every operation rejects with a {@link SatchelError}. */
export interface SatchelProvider {
  /** Connects the site to the account in use: its address and public key. */
  connect(): Promise<Account>
  /** Connects like connect; a list with the address. */
  requestAccounts(): Promise<Accounts>
  /** The connected address, or an empty list. */
  getAccounts(): Promise<Accounts>
  /** The network in use. */
  getNetwork(): Promise<NetworkName>
  /** The public key of the connected account. */
  getPublicKey(): Promise<PublicKey>
  /** Satoshis of the connected address, every output counted. */
  getBalance(): Promise<Balance>
  /** A page of the inscriptions on the connected address, what came last first. */
  getInscriptions(cursor?: number | null, size?: number | null): Promise<InscriptionPage>
  /** Pays satoshis to an address. */
  sendBitcoin(toAddress: string, satoshis: Amount, options?: FeeOptions): Promise<Txid>
  /** Pays bitcoin to an address, with a text in an OP_RETURN output where one is asked for. */
  send(payment: {
    /** The connected address. */
    from: string
    to: string
    value: BtcAmount
    satBytes?: FeeRate
    memo?: string | null
    /** Which output the OP_RETURN is. */
    memoPos?: number | null
  }): Promise<TxHash>
  /** Sends one inscription or Atomical to an address. */
  sendInscription(
    address: AddressText,
    inscriptionId: InscriptionId,
    options?: FeeOptions,
  ): Promise<Txid>
  /** Sends inscriptions and Atomicals in one transaction. */
  transferNft(transfer: {
    /** The connected address. */
    from: string
    /** An address for all, or a list with one for each id in its order. */
    to: AddressText | AddressText[]
    /** One id, or a list of them. */
    data: InscriptionId | InscriptionId[]
    feeRate?: FeeRate
  }): Promise<TxHash>
  /** Signs a text. */
  signMessage(
    signStr: string,
    type?:
      | 'ecdsa'
      | 'bip322-simple'
      | 'bip322'
      | {
          type?: 'ecdsa' | 'bip322-simple' | 'bip322' | null
          /** The connected address. */
          from?: AddressText | null
        }
      | null,
  ): Promise<string>
  /** Broadcasts a signed transaction. */
  pushTx(
    rawTx:
      | RawTransaction
      | {
          rawtx: RawTransaction
        },
  ): Promise<Txid>
  /** Makes small coins of the account, as PSBTs of marketplaces need them. */
  splitUtxo(request: {
    /** The connected address. */
    from: string
    /** How many coins. */
    amount?: number | string | null
  }): Promise<{
    utxos: UtxoRecord[]
  }>
  /** Inscribes a BRC-20 transfer of an amount that the person says; the txid of the reveal. */
  inscribe(inscribe: {
    type?: 51 | null
    /** The connected address. */
    from: string
    /** The token. */
    tick: string
    /** Taken and ignored. */
    tid?: unknown
    /** Decimal text. The person sees it as a proposal and says the amount. */
    amt?: string | number | null
    /** Another name of amt, read where that is left out. */
    amount?: string | number | null
    feeRate?: FeeRate
    /** Another name of feeRate, read where that is left out. */
    satBytes?: number | string | null
  }): Promise<Txid>
  /** Inscribes texts, images or BRC-20 operations: one commit, and a reveal for each. */
  mint(mint: {
    /** BRC-20: 60 deploy, 50 mint, 51 transfer. 61 text, 62 image. */
    type: 60 | 50 | 51 | 61 | 62
    /** The connected address. */
    from: string
    inscriptions: MintItem[]
    feeRate?: FeeRate
    /** Another name of feeRate, read where that is left out. */
    satBytes?: number | string | null
  }): Promise<MintResult>
  /** Signs the inputs of the connected account, those that are named or all; hex comes out. */
  signPsbt(psbt: Psbt, options?: SignOptions | null): Promise<SignedPsbt>
  /** Signs several PSBTs with one question: all of them or none. */
  signPsbts(
    psbts: Psbt[],
    options?: SignOptions | (SignOptions | null)[] | null,
  ): Promise<SignedPsbt[]>
  /** Broadcasts the transaction of a signed PSBT, finalized where it is not. */
  pushPsbt(psbt: Psbt): Promise<Txid>
  /** Broadcasts signed transactions that may depend on each other. */
  sendPsbt(txs: BatchItem[], from: AddressText): Promise<{ [name: string]: Txid | null }[]>
  /** Gives up the leave of this site for the account in use. */
  disconnect(): Promise<null>
  /** Changes the network of the wallet, and connects the site to the account in use there. */
  switchNetwork(
    name: 'livenet' | 'mainnet' | 'testnet4' | 'testnet' | 'signet' | 'regtest',
  ): Promise<NetworkName>
  /** Pays satoshis to several addresses in one transaction. */
  sendTransfer(payment: {
    /** An address may be there more than once: each gets an output of its own. */
    recipients: Recipient[]
    feeRate?: FeeRate
  }): Promise<SentTransfer>
  /** Makes a secret of 32 bytes that only this account can make again, for an application. */
  deriveContextHash(appName: string, context: string): Promise<string>
  /** Signs several texts with one question: all of them or none. */
  signMessages(
    messages: {
      text: string
      type?: 'ecdsa' | 'bip322-simple' | 'bip322' | null
      /** The connected address. */
      from?: AddressText | null
    }[],
  ): Promise<string[]>
  /** A page of the runes on the connected address, by name, with the outputs they are on. */
  getRunes(
    offset?: number | null,
    limit?: number | null,
  ): Promise<{
    total: number
    list: {
      /** Block and place of its etching; null where no index tells it now. */
      id: string | null
      /** With its spacers. */
      name: string
      /** One character. */
      symbol: string | null
      /** Digits behind the point that an amount can have. */
      divisibility: number
      amount: string
      /** What sendRunes could send now. */
      spendable: string
      /** The outputs it is on. */
      coins: {
        /** Transaction id and index of the output. */
        output: string
        outputValue: number
        amount: string
      }[]
    }[]
  }>
  /** Sends runes, several of them to several addresses where asked, in one transaction. */
  sendRunes(transfer: {
    /** An address may be there more than once: it gets one output with all of it. */
    recipients: {
      address: AddressText
      /** Its name, with or without spacers, or its id. */
      rune: string
      /** Whole runes, as decimal text. */
      amount?: string | null
      /** The smallest unit, in place of amount. */
      units?: number | string | null
    }[]
    feeRate?: FeeRate
  }): Promise<SentTransfer>
  /** Mints a rune, once or several times with one question; a transaction each. */
  mintRune(mint: RuneMint): Promise<{
    /** In the order of their broadcast. Those that nothing is left for are never sent. */
    txids: Txid[]
  }>
  /** Etches a rune, which is there for good once its reveal is in a block. */
  etchRune(etching: RuneEtching): Promise<{
    commitTx: Txid
    /** Goes out once the commit has six confirmations. */
    revealTx: string
    /** Where the commit pays to. */
    commitAddr: string
  }>
  /** What mints would cost. */
  estimateMintRune(mint: RuneMint): Promise<RuneEstimate>
  /** What an etching would cost. */
  estimateEtchRune(etching: RuneEtching): Promise<RuneEstimate>
  /** The account that the site is connected to, or null. */
  readonly selectedAccount: Account | null
  /** Calls the handler at each event of this name, until `removeListener`. */
  on<E extends keyof SatchelEvents>(event: E, handler: (...args: SatchelEvents[E]) => void): this
  removeListener<E extends keyof SatchelEvents>(
    event: E,
    handler: (...args: SatchelEvents[E]) => void,
  ): this
}

/** What a handler of each event is called with. */
export interface SatchelEvents {
  /** The site is connected to another account now, or to one again. */
  accountChanged: [account: Account]
  /** The exposed address changed; an empty list when the site is not connected any more or the wallet is locked. */
  accountsChanged: [accounts: Accounts]
  /** The person changed the network; the account of it follows. */
  networkChanged: [network: NetworkName]
  /** The site is connected to an account now, before which it was to none. */
  connect: [account: Account]
  /** The site is not connected any more, or the wallet is locked. */
  disconnect: []
}

/** The codes are in the table of the guide; `data.reason` names a known failure (-32000). */
export interface SatchelError extends Error {
  code: number
  data?: { reason?: string; [key: string]: unknown }
}

declare global {
  interface Window {
    satchel?: { bitcoin: SatchelProvider }
  }
}
