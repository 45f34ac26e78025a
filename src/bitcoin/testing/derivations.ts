import { bip32 } from '../secp256k1.ts'

/** How many children of extended keys are derived meanwhile. */
export function countDerivations(run: () => void): number {
  const prototype = Object.getPrototypeOf(bip32().fromSeed(new Uint8Array(32)))
  const { derive } = prototype
  let count = 0
  prototype.derive = function (index: number) {
    count++
    return derive.call(this, index)
  }
  try {
    run()
  } finally {
    prototype.derive = derive
  }
  return count
}
