import type { Chain } from '../chain/chain.ts'
import { DEFAULT_LOG_LIMITS } from '../chain/fetch-logs.ts'
import type { Config } from '../config/config.ts'
import type { Development } from '../development/development.ts'
import { listDevelopmentMethods } from '../development/development-methods.ts'
import type { Engine } from '../engine/engine.ts'
import type { Filters } from '../filters/filters.ts'
import type { Keystore } from '../keystore/keystore.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from '../producer/producer.ts'
import type { MethodTable } from '../rpc/method.ts'
import { createGasPriceOracle } from '../sending/gas-price.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import { listBlockMethods } from './block-methods.ts'
import { listAccessListMethods, listCallMethods } from './call-methods.ts'
import { listFeeMethods } from './fee-methods.ts'
import { listFilterMethods } from './filter-methods.ts'
import { listLogMethods } from './log-methods.ts'
import { listMiningMethods } from './mining-methods.ts'
import { listNodeMethods } from './node-methods.ts'
import { listPeerMethods } from './peer-methods.ts'
import { listPersonalMethods } from './personal-methods.ts'
import { listProofMethods } from './proof-methods.ts'
import { listSendingMethods } from './sending-methods.ts'
import { listSigningMethods, listTypedDataMethods } from './signing-methods.ts'
import { listSimulationMethods } from './simulation-methods.ts'
import { listStateMethods } from './state-methods.ts'
import { listSubscriptionMethods } from './subscription-methods.ts'
import { listTraceMethods } from './trace-methods.ts'
import { listTransactionMethods } from './transaction-methods.ts'
import { listTxpoolMethods } from './txpool-methods.ts'

/** What methods answer from. */
export interface Services {
  readonly config: Config
  readonly version: string
  readonly chainId: bigint
  readonly chain: Chain
  readonly engine: Engine
  readonly pool: Pool
  readonly producer: Producer
  readonly keystore: Keystore
  readonly filters: Filters
  readonly subscriptions: Subscriptions
  /** Null where the node was not started for development. */
  readonly development: Development | null
}

/** Every method that the node serves: the specification's, and others only where the node was started for them. */
export function listMethods(services: Services): MethodTable {
  const { config, development } = services
  const clientVersion = describeClient(services.version, development !== null)
  const limits = { ...DEFAULT_LOG_LIMITS, span: config.logsSpan }
  const oracle = createGasPriceOracle({ ...services, minimum: config.minGasPrice })
  return {
    ...listNodeMethods({ ...services, clientVersion }),
    ...listStateMethods(services),
    ...listBlockMethods(services),
    ...listTransactionMethods(services),
    ...listLogMethods({ ...services, limits }),
    ...listCallMethods(services),
    ...listSendingMethods({
      ...services,
      oracle,
      unprotected: config.unprotected,
      isImpersonated: address => development?.impersonation.has(address) ?? false,
    }),
    ...(config.extended && listFeeMethods({ ...services, oracle })),
    ...(config.extended && listAccessListMethods(services)),
    ...(config.extended && listProofMethods(services)),
    ...(config.extended && listPeerMethods()),
    ...(config.extended && listTraceMethods(services)),
    ...(config.extended && listSimulationMethods(services)),
    ...listTxpoolMethods(services),
    ...listSigningMethods(services),
    ...(config.extended && listTypedDataMethods(services)),
    ...listPersonalMethods({ ...services, importRawKey: config.importRawKey }),
    ...listFilterMethods({ ...services, limits }),
    ...listSubscriptionMethods(services),
    ...(config.production.mode === 'manual' && listMiningMethods(services)),
    ...(development &&
      listDevelopmentMethods({
        ...services,
        ...development,
        production: config.production,
        clientVersion,
      })),
  }
}

/**
 * Name, version, system and language version, as other nodes write it. Hardhat's helpers work only with nodes whose name begins
 * with one that they know: a node for development has Hardhat's before its own.
 */
function describeClient(version: string, isForDevelopment: boolean): string {
  const node = process.versions.node.split('.')[0]
  const name = `SatchelChainNode/v${version}/${process.platform}-${process.arch}/node${node}`
  return isForDevelopment ? `HardhatNetwork/compatible/${name}` : name
}
