export class InvalidServerUrlError extends Error {
  override name = 'InvalidServerUrlError'
  constructor(problem: string, options?: ErrorOptions) {
    super(`The server address ${problem}.`, options)
  }
}
