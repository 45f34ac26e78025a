import { ccc } from '@ckb-ccc/core'
import { Okx } from '@ckb-ccc/okx'
import { expose } from './expose.ts'

/** Nobody listens there: only a signer's own answers are asked for. */
const NOWHERE = 'http://127.0.0.1:9'

let signer: ccc.Signer | undefined
let replacements = 0
let forget = () => {}

/** The signer for Bitcoin, which is looked for at every call as long as there is none. */
function findSigner(): ccc.Signer {
  const client = new ccc.ClientPublicMainnet({ url: NOWHERE })
  signer ??= Okx.getOKXSigners(client).find(({ name }) => name === 'BTC')?.signer
  if (!signer) throw new Error('There is no OKX wallet')
  return signer
}

export const ckbCcc = expose({
  isConnected: () => findSigner().isConnected(),
  connect: () => findSigner().connect(),
  getInternalAddress: () => findSigner().getInternalAddress(),
  /** The public key, in hex. */
  getIdentity: () => findSigner().getIdentity(),
  /** With what the library itself thinks of the signature. */
  async signMessage(message: string) {
    const signature = await findSigner().signMessage(message)
    return { ...signature, isValid: await ccc.Signer.verifyMessage(message, signature) }
  },
  watch() {
    forget = findSigner().onReplaced(() => {
      replacements++
    })
  },
  unwatch: () => forget(),
  countReplacements: () => replacements,
  disconnect: () => findSigner().disconnect(),
})
