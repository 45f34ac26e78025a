import { fromHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import type { DelegationSigner } from './record-data.ts'

/** The keys that the DNS root signs with, from 2017 and from 2024: https://data.iana.org/root-anchors/root-anchors.xml. */
export const ROOT_ANCHORS: readonly DelegationSigner[] = [
  {
    tag: 20326,
    algorithm: 8,
    digestType: 2,
    digest: fromHex('e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d'),
  },
  {
    tag: 38696,
    algorithm: 8,
    digestType: 2,
    digest: fromHex('683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16'),
  },
]

/** The key of `testing/root-key.ts`, of which everybody has the secret half. */
export const REGTEST_ANCHORS: readonly DelegationSigner[] = [
  {
    tag: 3247,
    algorithm: 13,
    digestType: 2,
    digest: fromHex('636e6c5d7dfcc134557e2b4ca9fdb5d4210d76c09a7e4c555bed8817a582c3fa'),
  },
]

/** Whose names count on a network: on regtest, whose coins are worth nothing, those of a root that tests make. */
export function anchorsOf(network: Network): readonly DelegationSigner[] {
  return network === 'regtest' ? REGTEST_ANCHORS : ROOT_ANCHORS
}
