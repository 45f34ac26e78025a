/** A simulation that cannot go on; code and text are geth's. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

// Codes of execution-apis.
export const SERVER_ERROR = -32000
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const GAS_LIMIT_REACHED = -38015
export const INVALID_BLOCK_NUMBER = -38020
export const INVALID_BLOCK_TIME = -38021
export const LIMIT_EXCEEDED = -38026

/** By how geth's texts of refused transactions begin. */
const CODES: readonly (readonly [text: string, code: number])[] = [
  ['nonce too low', -38010],
  ['nonce too high', -38011],
  ['max fee per gas less than block base fee', -38012],
  ['intrinsic gas too low', -38013],
  ['insufficient funds', -38014],
  ['max initcode size exceeded', -38025],
  ['max priority fee per gas higher than max fee per gas', INVALID_PARAMS],
]

/** @param gas - what the call was given */
export function refuseCall(reason: string, gas: bigint): SimulationError {
  const code = CODES.find(([text]) => reason.startsWith(text))?.[1] ?? INTERNAL_ERROR
  return new SimulationError(code, `err: ${reason} (supplied gas ${gas})`)
}
