import type { EVMOpts } from '@ethereumjs/evm'

type CustomOpcode = NonNullable<EVMOpts['customOpcodes']>[number]
/** An opcode that is added to EthereumJS. */
export type AddOpcode = Extract<CustomOpcode, { logicFunction: unknown }>
/** A frame of a call while it runs, as EthereumJS has it. */
export type RunState = Parameters<AddOpcode['logicFunction']>[0]
