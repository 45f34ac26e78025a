const { buildModule } = require('@nomicfoundation/hardhat-ignition/modules')

/** 2100-01-01. */
const OPENS_AT = 4_102_444_800

module.exports = buildModule('Vault', m => ({
  vault: m.contract('Vault', [OPENS_AT], { value: 1_000_000_000n }),
}))
