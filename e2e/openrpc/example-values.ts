/**
 * Values of the examples: the first two addresses of BIP-86's vectors, and a transaction that pays 9,000 sats from the first
 * to the second.
 */

export const ADDRESS = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
export const RECIPIENT = 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh'
export const PUBLIC_KEY = '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115'

export const TXID = '0daa13ee44fb6535874e7d1f7d53a73dc7f484c90b25ce46489e7a74358849a3'
export const OTHER_TXID = '11'.repeat(32)
export const INSCRIPTION_ID = '6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0'

const OUTPUT =
  'ffffffff012823000000000000225120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb'
const INPUT = `01${OTHER_TXID}0000000000`
const UNSIGNED = `02000000${INPUT}${OUTPUT}00000000`
const SIGNATURE =
  '409c973b555932dcdc2b1ffe1a3d88d3a2ae5b91d2893fbceb0b7f5b5582f76db094ee28c22269d51d3888fd8e8d561b1abf6bec05d5ccd6aba5fdc2c194188424'
const WITNESS_UTXO =
  '01012b1027000000000000225120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c'

export const PSBT = `70736274ff01005e${UNSIGNED}00${WITNESS_UTXO}011720${PUBLIC_KEY.slice(2)}0000`
export const SIGNED_PSBT = `70736274ff01005e${UNSIGNED}00${WITNESS_UTXO}01084201${SIGNATURE}0000`
export const RAW_TRANSACTION = `020000000001${INPUT}${OUTPUT}01${SIGNATURE}00000000`

/** Another one, which pays the first address 8,000 sats. */
export const SPLIT_TXID = '1c3b763189cc91cfab08ff0caf44c5da08cc515f2d6d5676a04d94ffba8c52ec'
export const SPLIT_TRANSACTION =
  '0200000000010122222222222222222222222222222222222222222222222222222222222222220000000000ffffffff01401f000000000000225120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c014054be168f0b6b413263f4f119998649e7518e7944d171521992cb4067397113dd60a8938dfd0fcdf9d395249cab929d326b5bd70732fbeea47cb0501b1df16d0f00000000'

/** SHA-256 of "deposit 7", and the secret of the phrase of BIP-86's vectors for it on mainnet, made with Node's HKDF. */
export const CONTEXT = '5f9cda4e2d2e3d1483616d9911eafa6a85e71b4ac11b6d42abcad036d08b2dbe'
export const CONTEXT_HASH = 'fc45078af082506b7576bd8e05c4c4a78a1f68f72e77648ca4d7e156329edcb7'

export const MESSAGE = 'Hello'
export const MESSAGE_SIGNATURE =
  'IDaQ9EDusSkkKvWQVV67esgURV3AEHJeV9UQqxqXxA/1RuSIilrR784dexN+di8UfRVXeQobYvVQ1O+fuccvym8='
