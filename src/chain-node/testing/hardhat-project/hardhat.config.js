require('@nomicfoundation/hardhat-ethers')
require('@nomicfoundation/hardhat-ignition-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const { version } = require('solc/package.json')

// The compiler of the package, as Hardhat would otherwise load one from elsewhere.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  version,
  longVersion: version,
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
}))

module.exports = {
  solidity: { version, settings: { evmVersion: 'paris' } },
  // The address of its own network `localhost`, but for the port.
  networks: { localhost: { url: process.env.NODE_URL ?? 'http://127.0.0.1:8545' } },
}
