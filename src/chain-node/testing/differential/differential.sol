// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(uint256 available, uint256 required);

    constructor() {
        totalSupply = 1000;
        balanceOf[msg.sender] = 1000;
        emit Transfer(address(0), msg.sender, 1000);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        uint256 available = balanceOf[from];
        if (available < value) revert InsufficientBalance(available, value);
        balanceOf[from] = available - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Writes, clears and reads back storage.
contract Ledger {
    uint256[16] public slots;
    bytes public blob;

    event Written(uint256 indexed slot, uint256 indexed value, address indexed writer, bytes data);

    function write(uint256 from, uint256 count, uint256 value) external payable {
        for (uint256 i = 0; i < count % 16; i++) slots[(from + i) % 16] = value;
    }

    function clear(uint256 from, uint256 count) external {
        for (uint256 i = 0; i < count % 16; i++) delete slots[(from + i) % 16];
    }

    function flip(uint256 slot, uint256 value) external {
        uint256 before = slots[slot % 16];
        slots[slot % 16] = value;
        slots[slot % 16] = 0;
        slots[slot % 16] = before;
    }

    function report(uint256 slot, uint256 value, bytes calldata data) external {
        emit Written(slot, value, msg.sender, data);
        assembly {
            log0(0, 32)
            log1(0, 64, value)
            log2(0, 0, slot, value)
        }
    }

    function keep(bytes calldata data) external returns (bytes memory) {
        blob = data;
        return bytes.concat(data, blob);
    }

    function write(uint256 value) external {
        slots[0] = value;
        revert("written in vain");
    }
}

/// Fails in every way.
contract Failure {
    error Custom(uint256 code, string text);

    function withReason(uint256 code) external pure {
        require(code == type(uint256).max, "boom");
    }

    function withLongReason(string calldata reason) external pure {
        revert(reason);
    }

    function withCustom(uint256 code) external pure {
        revert Custom(code, "custom");
    }

    function silently() external pure {
        revert();
    }

    function withBytes(bytes calldata data) external pure {
        bytes memory copy = data;
        assembly {
            revert(add(copy, 32), mload(copy))
        }
    }

    function byPanic(uint256 value) external pure returns (uint256) {
        if (value % 4 == 0) assert(false);
        if (value % 4 == 1) return 1 / (value - value);
        if (value % 4 == 2) return new uint256[](2)[value];
        return value - type(uint256).max;
    }

    function byOpcode() external pure {
        assembly {
            invalid()
        }
    }

    function byGas() external pure {
        for (;;) {}
    }

    function byMemory(uint256 size) external pure {
        assembly {
            mstore(mul(size, 1000000), 1)
        }
    }

    function byReturnData(uint256 size) external view {
        assembly {
            pop(staticcall(gas(), 4, 0, 32, 0, 0))
            returndatacopy(0, size, 32)
        }
    }
}

/// Calls others, and itself.
contract Caller {
    uint256 public depth;
    event Returned(bool indexed ok, bytes data);

    receive() external payable {}

    function callOther(address to, uint256 value, bytes calldata data) external payable {
        (bool ok, bytes memory returned) = to.call{value: value}(data);
        emit Returned(ok, returned);
    }

    function callWithGas(address to, uint256 limit, bytes calldata data) external {
        (bool ok, bytes memory returned) = to.call{gas: limit}(data);
        emit Returned(ok, returned);
    }

    function delegate(address to, bytes calldata data) external returns (bool ok, bytes memory returned) {
        (ok, returned) = to.delegatecall(data);
    }

    function look(address to, bytes calldata data) external view returns (bool ok, bytes memory returned) {
        (ok, returned) = to.staticcall(data);
    }

    function dig(uint256 levels) external returns (uint256) {
        depth++;
        return levels == 0 ? gasleft() : this.dig(levels - 1);
    }

    function digForever() external returns (bool ok) {
        (ok, ) = address(this).call(msg.data);
        depth++;
    }

    function describe(address to) external payable returns (address, uint256, uint256, bytes32, uint256) {
        return (msg.sender, msg.value, to.balance, to.codehash, to.code.length);
    }

    function surround() external view returns (address, uint256, uint256, uint256, uint256, uint256) {
        return (tx.origin, tx.gasprice, block.number, block.timestamp, block.chainid, block.gaslimit);
    }

    function destroy(address payable to) external payable {
        selfdestruct(to);
    }
}

contract Child {
    uint256 public value;

    constructor(uint256 given) payable {
        require(given % 7 != 3, "no child");
        value = given;
    }

    function destroy(address payable to) external {
        selfdestruct(to);
    }
}

contract Factory {
    Child public last;

    function create(uint256 value) external payable returns (address) {
        last = new Child{value: msg.value}(value);
        return address(last);
    }

    function create2(uint256 value, bytes32 salt) external payable returns (address) {
        last = new Child{salt: salt, value: msg.value}(value);
        return address(last);
    }

    function createAndDestroy(uint256 value, address payable to) external payable {
        last = new Child{value: msg.value}(value);
        last.destroy(to);
    }

    function destroyLast(address payable to) external {
        last.destroy(to);
    }

    function createRaw(bytes memory code) external payable returns (address made) {
        assembly {
            made := create(callvalue(), add(code, 32), mload(code))
        }
    }
}
