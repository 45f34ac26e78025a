import { createHash } from 'node:crypto'
import { Address, OutScript, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { buildToSpend } from '../message-bip322.ts'

/** A script that anybody satisfies, and its P2WSH output: what a proof spends without any key. */
const ANYONE = Uint8Array.of(0x51)
export const ANYONE_SCRIPT = OutScript.encode({
  type: 'wsh',
  hash: Uint8Array.from(createHash('sha256').update(ANYONE).digest()),
})
const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }
export const ANYONE_ADDRESS = Address(REGTEST).encode(OutScript.decode(ANYONE_SCRIPT))

/** A proof of funds of the address that is anybody's, with coins of its script; made by another library. */
export function createProofOfFunds(
  message: string,
  coins: readonly { txid: string; vout: number; sats: bigint }[],
) {
  const toSpend = buildToSpend(Uint8Array.from(Buffer.from(message)), ANYONE_SCRIPT)
  const options = { allowUnknownVersion: true, allowUnknownOutputs: true, disableScriptCheck: true }
  const toSign = new Transaction({ version: 0, lockTime: 0, ...options })
  const inputs = [{ txid: toSpend.getId(), vout: 0, sats: 0n }, ...coins]
  for (const { txid, vout, sats } of inputs)
    toSign.addInput({
      ...{ txid, index: vout, sequence: 0 },
      witnessUtxo: { script: ANYONE_SCRIPT, amount: sats },
    })
  toSign.addOutput({ script: Uint8Array.of(0x6a), amount: 0n })
  for (const at of inputs.keys()) toSign.updateInput(at, { finalScriptWitness: [ANYONE] }, true)
  const signature = `pof${Buffer.from(toSign.toPSBT(0)).toString('base64')}`
  return { message, signature, address: ANYONE_ADDRESS }
}
