/** Only the package that has this one in a folder of its own sees its types. */
declare module '@rango-dev/wallets-core/store' {
  type Versions = ReturnType<typeof import('@rango-dev/provider-okx').versions>
  type Provider = Extract<Versions[number], ['1.0.0', unknown]>[1]
  export function createStore(): Parameters<Provider['store']>[0]
}
