import type { AddressType } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { createKeys, createPublicNodes } from '../../bitcoin/derivation.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import {
  deriveKeyExpression,
  formatKeyExpression,
  type KeyExpression,
} from '../../bitcoin/descriptors/key-expression.ts'
import { formatKeyPath, HARDENED } from '../../bitcoin/key-origin.ts'
import type { MultisigScript } from '../../bitcoin/multisig-type.ts'
import { coinType, keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { planSigning } from '../../bitcoin/psbt/plan.ts'
import type { Prevout } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { signPsbt } from '../../bitcoin/psbt/sign.ts'
import { readMultisig } from './multisig-source.ts'
import type { VaultSecret } from './vault-secret.ts'
import { withSeed } from './vault-seed.ts'

/** The last step of BIP-48's paths; that of taproot is what wallets use. */
const SCRIPT_STEPS: { [script in MultisigScript]: number } = {
  'p2sh-p2wsh': 1,
  p2wsh: 2,
  p2tr: 3,
}

/** Of an address of the key alone, which these scripts are not. */
const ADDRESS_TYPE: AddressType = 'p2wpkh'

/** Which signers of an account that several share have keys of a phrase of the wallet, by their places in the descriptor. */
export async function findOwnSigners(
  secret: VaultSecret,
  accountId: string,
  network: Network,
): Promise<number[]> {
  const keys = readKeys(secret, accountId, network)
  if (keys.length === 0) return []
  const own = new Set<number>()
  for (const phrase of secret.phrases)
    await withSeed(phrase, seed => {
      const isOwn = createOwnership(seed)
      for (const [at, key] of keys.entries()) if (isOwn(key)) own.add(at)
    })
  return [...own].sort((a, b) => a - b)
}

/**
 * Signs the inputs of a PSBT with the keys of the wallet's phrases that share the account; `places` are the addresses that they spend, null
 * for an input that is left alone. Throws PsbtRefusedError where a key does not open what an input spends, and for another sighash
 * than ALL (in taproot DEFAULT).
 */
export async function cosign(
  secret: VaultSecret,
  params: {
    accountId: string
    network: Network
    psbt: Psbt
    prevouts: readonly (Prevout | null)[]
    places: readonly (DescriptorPlace | null)[]
    /** Which signers sign, by their places in the descriptor; all whose keys are here unless given. */
    signers?: readonly number[]
  },
): Promise<Psbt> {
  const { accountId, network, prevouts, places, signers } = params
  const keys = readKeys(secret, accountId, network).filter((_, at) => signers?.includes(at) ?? true)
  let { psbt } = params
  for (const phrase of secret.phrases) psbt = await withSeed(phrase, seed => signWith(seed, psbt))
  return psbt

  function signWith(seed: Uint8Array, unsigned: Psbt): Psbt {
    const isOwn = createOwnership(seed)
    const keyAt = createKeys(seed)
    let psbt = unsigned
    for (const { publicKey, path, indexes } of keys.filter(isOwn).flatMap(listSpent)) {
      const inputs = indexes.map(index => ({
        ...{ index, sighashTypes: null, disableTweakSigner: false },
      }))
      const key = { publicKey, addressType: ADDRESS_TYPE }
      const plan = planSigning({ psbt, prevouts, key, inputs, expert: false })
      const { privateKey } = keyAt(path)
      try {
        psbt = signPsbt({ psbt, prevouts, plan, privateKey, addressType: ADDRESS_TYPE })
      } finally {
        privateKey.fill(0)
      }
    }
    return psbt
  }

  /** Each key below an extended one that inputs need, with these inputs. */
  function listSpent(key: KeyExpression) {
    const found = new Map<string, { publicKey: Uint8Array; path: string; indexes: number[] }>()
    for (const [index, place] of places.entries()) {
      if (!place) continue
      const { publicKey, origin } = deriveKeyExpression(key, place)
      const path = formatKeyPath(origin.path)
      const known = found.get(path) ?? { publicKey, path, indexes: [] }
      known.indexes.push(index)
      found.set(path, known)
    }
    return [...found.values()]
  }
}

/** The phrase's key to be one of several signers with (BIP-48, first account), with its origin, as descriptors have it. */
export function createCosignerKey(
  seed: Uint8Array,
  script: MultisigScript,
  network: Network,
): string {
  const space = keySpaceOf(network)
  const path = [48, coinType(space), 0, SCRIPT_STEPS[script]].map(step => step + HARDENED)
  const { masterFingerprint, ...node } = createPublicNodes(seed)(formatKeyPath(path))
  return formatKeyExpression({
    type: 'extended',
    origin: { fingerprint: masterFingerprint, path },
    key: { space, ...node },
    steps: [],
    isRanged: false,
  })
}

function readKeys(
  { accounts }: VaultSecret,
  accountId: string,
  network: Network,
): readonly KeyExpression[] {
  const account = accounts.find(({ id }) => id === accountId)
  return account?.source === 'multisig' ? readMultisig(account.descriptor, network).parsed.keys : []
}

/** A fingerprint has 4 bytes: the key itself must be the phrase's. */
function createOwnership(seed: Uint8Array): (key: KeyExpression | undefined) => boolean {
  const nodeAt = createPublicNodes(seed)
  const { masterFingerprint } = nodeAt('m')
  return key => {
    if (key?.type !== 'extended' || key.origin?.fingerprint !== masterFingerprint) return false
    const { publicKey, chainCode } = nodeAt(formatKeyPath(key.origin.path))
    return equalBytes(publicKey, key.key.publicKey) && equalBytes(chainCode, key.key.chainCode)
  }
}
