import type { ParamsDict } from '@ethereumjs/common'

/**
 * What transactions and blocks cost and may have, beside what the EVM brings: by EIP, or by 1 for Frontier and the number of its
 * meta-EIP for each fork before Berlin. Names are EthereumJS's.
 */
export const FORK_PARAMS: ParamsDict = {
  1: {
    txGas: 21_000,
    txCreationGas: 32_000,
    txDataZeroGas: 4,
    txDataNonZeroGas: 68,
    accessListStorageKeyGas: 0,
    accessListAddressGas: 0,
    targetBlobGasPerBlock: 0,
    maxBlobGasPerBlock: 0,
    blobGasPerBlob: 0,
    minerReward: '5000000000000000000',
  },
  // Byzantium.
  609: { minerReward: '3000000000000000000' },
  // Constantinople.
  1013: { minerReward: '2000000000000000000' },
  // Istanbul.
  1679: { txDataNonZeroGas: 16 },
  2930: { accessListStorageKeyGas: 1_900, accessListAddressGas: 2_400 },
  2935: {
    historyStorageAddress: '0x0000F90827F1C53A10CB7A02335B175320002935',
    historyServeWindow: 8_191,
    systemAddress: '0xfffffffffffffffffffffffffffffffffffffffe',
  },
  3860: { initCodeWordGas: 2, maxInitCodeSize: 49_152 },
  4788: { historicalRootsLength: 8_191 },
  4844: {
    blobCommitmentVersionKzg: 1,
    targetBlobGasPerBlock: 393_216,
    maxBlobGasPerBlock: 786_432,
    blobGasPerBlob: 131_072,
    blobGasPriceUpdateFraction: 3_338_477,
    blobBaseCost: 8_192,
    minBlobGas: 1,
  },
  7002: {
    systemAddress: '0xfffffffffffffffffffffffffffffffffffffffe',
    systemCallGasLimit: 30_000_000,
    withdrawalRequestPredeployAddress: '0x00000961EF480EB55E80D19AD83579A64C007002',
  },
  7251: {
    systemAddress: '0xfffffffffffffffffffffffffffffffffffffffe',
    systemCallGasLimit: 30_000_000,
    consolidationRequestPredeployAddress: '0x0000BBDDC7CE488642FB579F8B00F3A590007251',
  },
  7594: { maxBlobsPerTx: 6 },
  7623: { totalCostFloorPerToken: 10 },
  7691: {
    targetBlobGasPerBlock: 786_432,
    maxBlobGasPerBlock: 1_179_648,
    blobGasPriceUpdateFraction: 5_007_716,
  },
  7702: { perAuthBaseGas: 12_500, perEmptyAccountCost: 25_000 },
  7825: { maxTransactionGasLimit: 16_777_216 },
}
