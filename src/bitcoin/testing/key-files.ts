import { addressOfScript } from '../address.ts'
import { parseDescriptor } from '../descriptors/descriptor.ts'
import { computeDescriptorChecksum } from '../descriptors/descriptor-checksum.ts'
import { deriveOutput } from '../descriptors/descriptor-output.ts'
import { InvalidKeyFileError } from '../descriptors/key-candidates.ts'
import { parseKeyFile } from '../descriptors/key-files.ts'
import files from './vectors/key-files.json' with { type: 'json' }

/** A file of another program. */
export function textOfKeyFile(name: string): string {
  const file = files.find(one => one.name === name)
  if (!file) throw new Error(`no file ${name}`)
  return file.text
}

/** Where an account receives first. */
export function firstAddressOf(descriptor: string): string | null {
  const { scriptPubKey } = deriveOutput(parseDescriptor(descriptor), { branch: 0, index: 0 })
  return addressOfScript(scriptPubKey, descriptor.includes('tpub') ? 'testnet4' : 'mainnet')
}

export function withChecksum(descriptor: string): string {
  return `${descriptor}#${computeDescriptorChecksum(descriptor)}`
}

/** The error with which a text is refused; throws when it is not. */
export function refusalOfKeyFile(text: string): InvalidKeyFileError {
  try {
    parseKeyFile(text)
  } catch (error) {
    if (error instanceof InvalidKeyFileError) return error
    throw error
  }
  throw new Error('the text was taken')
}
