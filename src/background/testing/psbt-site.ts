import * as ecc from '@bitcoinerlab/secp256k1'
import { initEccLib, Psbt, Transaction } from 'bitcoinjs-lib'
import type { AddressType } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { deriveKey } from '../../bitcoin/derivation.ts'
import { mnemonicToSeed } from '../../bitcoin/mnemonic.ts'
import { type BuiltPsbt, buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import type { Response } from '../../provider/envelope.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { SignPsbtReview } from '../views/psbt-views.ts'
import { SITE, selectedAccount } from './funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from './test-wallet.ts'

initEccLib(ecc)

/** An unlocked wallet whose account in use has this type, its private key, and a page that is connected to it. */
export async function startSigner(addressType: AddressType = 'p2tr', world = createWorld()) {
  const worker = await startUnlocked(world)
  const { id } = await selectedAccount(worker)
  const first = (await worker.ui('getState', null)).accounts.find(each => each.id === id)
  if (first?.addressType !== addressType) {
    const added = await worker.ui('addAccount', { addressType, name: `My ${addressType}` })
    await worker.ui('selectAccount', { accountId: added.id })
  }
  const account = await selectedAccount(worker)
  const page = await connectPage(worker, SITE)
  return { world, worker, page, account, key: await privateKeyOf(account) }
}

export type Signing = Awaited<ReturnType<typeof startSigner>>

export async function privateKeyOf({ derivationPath }: SigningAccountView): Promise<Uint8Array> {
  if (derivationPath === null) throw new Error('No derived account')
  return deriveKey(await mnemonicToSeed(ABANDON_MNEMONIC, ''), derivationPath).privateKey
}

/** Another worker on the same world, for what comes after the first has died. */
export function restart({ world }: { world: World }): Worker {
  return startWorker(world)
}

/** The site asks for signatures and the person approves: what was shown, null where it was refused, and what the site got. */
export async function trySigning(
  { worker, page }: Pick<Signing, 'worker' | 'page'>,
  method: 'signPsbt' | 'signPsbts',
  ...params: unknown[]
): Promise<{ review: SignPsbtReview | null; response: Response }> {
  let answered = false
  const answer = page.call(method, ...params).finally(() => {
    answered = true
  })
  while (!answered) {
    const approval = await worker.ui('getApproval', null)
    if (approval?.review.kind === 'sign-psbt') {
      const { key, digest, review } = approval
      await worker.ui('decide', { key, digest, decision: 'approve' })
      return { review, response: await answer }
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return { review: null, response: await answer }
}

/** The same where the person is to be asked. */
export async function approveSigning(...asked: Parameters<typeof trySigning>) {
  const { review, response } = await trySigning(...asked)
  if (!review) throw new Error(`Answered without a question: ${JSON.stringify(response)}`)
  return { review, response }
}

/** The one PSBT (hex) of an answer. */
export function resultOf(response: Response): string {
  if (!('result' in response) || typeof response.result !== 'string') {
    throw new Error(JSON.stringify(response))
  }
  return response.result
}

/** Puts what a PSBT spends on the world's chain. */
export function publishPrevious({ world }: Pick<Signing, 'world'>, built: BuiltPsbt): BuiltPsbt {
  for (const raw of built.previous.values()) world.chain.add(raw)
  return built
}

export function hexOf(params: Parameters<typeof buildPsbt>[0]): string {
  return toHex(buildPsbt(params).bytes)
}

/** Reads a PSBT with an independent library. */
export function readPsbtElsewhere(hex: string): Psbt {
  return Psbt.fromHex(hex)
}

/** Whether every signature of these inputs is right, by an independent library; all inputs must tell what they spend. */
export function isSignedElsewhere(hex: string, ...indexes: number[]): boolean {
  const psbt = Psbt.fromHex(hex)
  return indexes.every(index => {
    const { tapKeySig } = psbt.data.inputs[index] ?? {}
    return tapKeySig
      ? isKeyPathSigned(psbt, index, tapKeySig)
      : psbt.validateSignaturesOfInput(index, (publicKey, hash, signature) =>
          publicKey.length === 32
            ? ecc.verifySchnorr(hash, publicKey, signature)
            : ecc.verify(hash, publicKey, signature),
        )
  })
}

/** The library's own check wants to be told the key. */
function isKeyPathSigned(psbt: Psbt, index: number, signature: Uint8Array): boolean {
  const transaction = Transaction.fromBuffer(psbt.data.getTransaction())
  const prevouts = psbt.data.inputs.flatMap(({ witnessUtxo }) => witnessUtxo ?? [])
  const hash = transaction.hashForWitnessV1(
    index,
    prevouts.map(({ script }) => script),
    prevouts.map(({ value }) => value),
    signature[64] ?? 0,
  )
  const outputKey = prevouts[index]?.script.slice(2) ?? new Uint8Array()
  return ecc.verifySchnorr(hash, outputKey, signature.slice(0, 64))
}
