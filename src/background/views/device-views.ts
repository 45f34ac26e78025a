import type { AddressType } from '../../bitcoin/address.ts'

/** A PSBT for the device that has an account's key. */
export type DeviceTask = {
  /** Hex of version 0, with all that a signer needs to know. */
  psbt: string
  /** The inputs that it is to sign, each under its sighash and with its key (33 bytes in hex), of which addresses have the type. */
  inputs: { index: number; sighash: number; publicKey: string; addressType: AddressType }[]
  /** What its screen should show: the outputs that are not the account's, in their order. */
  pays: { address: string | null; script: string; sats: string }[]
  /** Null where the amount of an input is not known. */
  fee: string | null
  /** The text that it signs, where it is a message's (BIP-322) and no payment. */
  message?: string
}

/** PSBTs that go to a device, all in one round, and come back signed; what is filled in is a JSON array of them in hex, in the same order. */
export type SignOnDeviceReview = {
  kind: 'sign-on-device'
  /** Of the device's master key, 8 hex digits. */
  fingerprint: string
  tasks: DeviceTask[]
}
