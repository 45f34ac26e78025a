/** By the specification's groups: what it names as not supported. */
const GROUPS = {
  net: `net_peerCount net_listening`,
  eth: `
    eth_getWork eth_submitWork eth_submitHashrate eth_getCompilers eth_compileLLL
    eth_compileSolidity eth_compileSerpent eth_signTransaction eth_mining eth_coinbase
    eth_hashrate eth_getUncleCountByBlockHash eth_getUncleCountByBlockNumber
    eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex
  `,
  db: `db_putString db_getString db_putHex db_getHex`,
  shh: `
    shh_post shh_version shh_newIdentity shh_hasIdentity shh_newGroup shh_addToGroup
    shh_newFilter shh_uninstallFilter shh_getFilterChanges shh_getMessages
  `,
  admin: `
    admin_addPeer admin_datadir admin_nodeInfo admin_peers admin_startRPC admin_startWS
    admin_stopRPC admin_stopWS
  `,
  clique: `
    clique_getSnapshot clique_getSnapshotAtHash clique_getSigners clique_proposals
    clique_propose clique_discard clique_status
  `,
  debug: `
    debug_backtraceAt debug_blockProfile debug_cpuProfile debug_dumpBlock debug_gcStats
    debug_getBlockRlp debug_goTrace debug_memStats debug_seedHash debug_setHead
    debug_setBlockProfileRate debug_stacks debug_startCPUProfile debug_startGoTrace
    debug_stopCPUProfile debug_stopGoTrace debug_traceBlock debug_traceBlockByNumber
    debug_traceBlockByHash debug_traceBlockFromFile debug_standardTraceBlockToFile
    debug_standardTraceBadBlockToFile debug_traceTransaction debug_verbosity debug_vmodule
    debug_writeBlockProfile debug_writeMemProfile
  `,
  les: `
    les_serverInfo les_clientInfo les_priorityClientInfo les_addBalance les_setClientParams
    les_setDefaultParams les_latestCheckpoint les_getCheckpoint les_getCheckpointContractAddress
  `,
  miner: `
    miner_getHashrate miner_setExtra miner_setGasPrice miner_start miner_stop miner_setEtherbase
  `,
}

/** The 88 methods that the specification names as not supported. */
export const UNSUPPORTED_METHODS: readonly string[] = Object.values(GROUPS).flatMap(names =>
  names.trim().split(/\s+/),
)
