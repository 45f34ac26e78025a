// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// As OpenZeppelin's ERC20 stores balances and moves them.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    string public name = "Token";

    event Transfer(address indexed from, address indexed to, uint256 value);

    error InsufficientBalance(address account, uint256 balance, uint256 needed);

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
        totalSupply = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 balance = balanceOf[msg.sender];
        if (balance < value) revert InsufficientBalance(msg.sender, balance, value);
        unchecked {
            balanceOf[msg.sender] = balance - value;
            balanceOf[to] += value;
        }
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Hardhat's sample: what is in it can be had from a moment on.
contract Lock {
    uint256 public unlockTime;

    constructor(uint256 time) payable {
        require(block.timestamp < time, "Unlock time should be in the future");
        unlockTime = time;
    }

    function secondsLeft() external view returns (uint256) {
        return block.timestamp < unlockTime ? unlockTime - block.timestamp : 0;
    }

    function height() external view returns (uint256) {
        return block.number;
    }

    function withdraw() external {
        require(block.timestamp >= unlockTime, "You can't withdraw yet");
        payable(msg.sender).transfer(address(this).balance);
    }
}

/// Ways to fail, to use gas and to look around.
contract Probe {
    uint256 public stored;
    uint256 transient held;
    bytes public blob;

    function failWithReason() external pure {
        revert("boom");
    }

    function failSilently() external pure {
        revert();
    }

    function failAssertion(uint256 value) external pure {
        assert(value != value);
    }

    function divide(uint256 a, uint256 b) external pure returns (uint256) {
        return a / b;
    }

    function loopForever() external pure {
        for (;;) {}
    }

    function failOpcode() external pure {
        assembly {
            invalid()
        }
    }

    function hashOften(uint256 times) external pure returns (bytes32 hash) {
        for (uint256 i = 0; i < times; i++) hash = keccak256(abi.encode(hash, i));
    }

    function store(uint256 value) external payable {
        stored = value;
    }

    function holdAndReturn(uint256 value) external returns (uint256) {
        held = value;
        return held;
    }

    function copy(bytes calldata value) external returns (bytes memory) {
        blob = value;
        bytes memory left = bytes.concat(value, value);
        return left;
    }

    function look()
        external
        payable
        returns (address sender, uint256 value, uint256 balance, uint256 price, uint256 height)
    {
        return (msg.sender, msg.value, address(this).balance, tx.gasprice, block.number);
    }

    function blockHash(uint256 number) external view returns (bytes32) {
        return blockhash(number);
    }

    /// Succeeds only with much more gas than it uses.
    function needsGasLeft() external view returns (uint256) {
        require(gasleft() > 400_000, "too little gas");
        return 1;
    }

    function callOther(address other, uint256 gasLimit) external returns (bool ok) {
        (ok, ) = other.call{gas: gasLimit}(abi.encodeCall(Probe.store, (stored + 1)));
        require(ok, "the call failed");
    }

    function create(uint256 supply) external returns (address) {
        return address(new Token(supply));
    }

    function destroy(address payable to) external {
        selfdestruct(to);
    }

    receive() external payable {}
}

/// Writes to the console of Hardhat and Foundry, as their libraries do.
contract Speaker {
    function speak(uint256 value) external view {
        address console = 0x000000000000000000636F6e736F6c652e6c6f67;
        (bool ok, ) = console.staticcall(abi.encodeWithSignature("log(string,uint256)", "the value is", value));
        require(ok && value < 100, "too much");
    }
}
