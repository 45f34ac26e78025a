import type { Hex } from './codec/hex.ts'

/**
 * Private keys of the accounts that `--dev` funds: those of `m/44'/60'/0'/0/0` to `/9` for the phrase
 * `test test test test test test test test test test test junk`, as Hardhat and anvil have them. Everybody knows them.
 */
export const DEV_KEYS: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
]

/**
 * A contract that makes others at addresses that follow from their code and a salt; tools expect it at this address. Its code
 * is that of https://github.com/Arachnid/deterministic-deployment-proxy, where Foundry's anvil has it too.
 */
export const CREATE2_DEPLOYER = {
  address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const

/** What each of them has at the start: 10,000 coins, in wei. */
export const DEV_BALANCE = 10_000n * 10n ** 18n
