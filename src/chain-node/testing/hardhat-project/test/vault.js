const assert = require('node:assert/strict')
const {
  impersonateAccount,
  loadFixture,
  mine,
  setBalance,
  time,
} = require('@nomicfoundation/hardhat-network-helpers')
const { ethers } = require('hardhat')

const YEAR = 365 * 24 * 60 * 60

describe('Vault', () => {
  async function deploy() {
    const opensAt = (await time.latest()) + YEAR
    const vault = await ethers.deployContract('Vault', [opensAt], { value: 5n })
    await vault.waitForDeployment()
    return { vault, opensAt, address: await vault.getAddress() }
  }

  it('keeps what it holds', async () => {
    const { vault, opensAt, address } = await loadFixture(deploy)
    assert.equal(await vault.opensAt(), BigInt(opensAt))
    assert.equal(await ethers.provider.getBalance(address), 5n)
    await assert.rejects(vault.open.staticCall(), /still closed/)
    await assert.rejects(
      vault.open().then(sent => sent.wait()),
      /reverted/,
    )
  })

  it('opens in its time', async () => {
    const { vault, opensAt, address } = await loadFixture(deploy)
    await time.increaseTo(opensAt)
    const { logs } = await (await vault.open()).wait()
    assert.equal(logs.length, 1)
    assert.equal(await ethers.provider.getBalance(address), 0n)
  })

  it('is as it was at the start of each test', async () => {
    const { opensAt, address } = await loadFixture(deploy)
    assert.equal(await ethers.provider.getBalance(address), 5n)
    assert.ok((await time.latest()) < opensAt)
  })

  it('opens for its owner alone', async () => {
    const { vault, opensAt } = await loadFixture(deploy)
    const other = ethers.getAddress(`0x${'77'.repeat(20)}`)
    await impersonateAccount(other)
    await setBalance(other, 10n ** 18n)
    await time.setNextBlockTimestamp(opensAt)
    const asOther = vault.connect(await ethers.getSigner(other))
    await assert.rejects(asOther.open({ gasLimit: 100_000 }).then(sent => sent.wait()))
  })

  it('sees blocks made', async () => {
    const before = await time.latestBlock()
    await mine(1000)
    assert.equal(await time.latestBlock(), before + 1000)
  })
})
