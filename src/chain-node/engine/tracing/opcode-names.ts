/** What geth calls each opcode, also those that no fork of a chain has. */
export function nameOpcode(opcode: number): string {
  return NAMES[opcode] ?? `opcode 0x${opcode.toString(16)} not defined`
}

const NAMES: (string | undefined)[] = new Array(256)

for (const [first, names] of [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY'],
  [0x38, 'CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY'],
  [0x3f, 'EXTCODEHASH'],
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE'],
  [0x48, 'BASEFEE BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST'],
  [0x5c, 'TLOAD TSTORE MCOPY PUSH0'],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
] as const) {
  for (const [index, name] of names.split(' ').entries()) NAMES[first + index] = name
}
for (let i = 1; i <= 32; i++) NAMES[0x5f + i] = `PUSH${i}`
for (let i = 1; i <= 16; i++) {
  NAMES[0x7f + i] = `DUP${i}`
  NAMES[0x8f + i] = `SWAP${i}`
}
