import { invalidParams } from '../../provider/errors.ts'
import { isGiven, parseOptions } from '../../provider/params.ts'
import { describeAccount, nameNetwork } from '../requests/pages.ts'
import { type AddressPurpose, describeAddresses, parsePurposes } from './addresses.ts'
import { describeNetwork } from './networks.ts'
import type { SatsConnectRequest } from './request.ts'

/** Asks to connect where the page is not connected. */
export const getAddresses: SatsConnectRequest = async ({ call, readConnected }, params) => {
  const purposes = parse(params)
  await call('connect')
  const { account, network } = await readConnected()
  return {
    addresses: describeAddresses(describeAccount(account), purposes),
    network: describeNetwork(nameNetwork(network)),
  }
}

/** The same without the network. */
export const getAccounts: SatsConnectRequest = async ({ call }, params) => {
  const purposes = parse(params)
  return describeAddresses(await call('connect'), purposes)
}

function parse(params: unknown): AddressPurpose[] {
  const { purposes, message } = parseOptions('params', params)
  parseReason('message', message)
  return parsePurposes('purposes', purposes)
}

/** Why the page asks, in its own words: nothing that an approval could vouch for, so it is not shown. */
export function parseReason(field: string, value: unknown, most?: number): void {
  if (!isGiven(value)) return
  if (typeof value !== 'string') throw invalidParams(field, value, 'a string')
  if (most !== undefined && value.length > most)
    throw invalidParams(field, value, `at most ${most} characters`)
}
