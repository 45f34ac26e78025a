// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Comes to be at an address that follows from a salt, and can end.
contract Child {
    constructor() payable {}

    function set(uint256 slot, uint256 value) external {
        assembly {
            sstore(slot, value)
        }
    }

    function get(uint256 slot) external view returns (uint256 value) {
        assembly {
            value := sload(slot)
        }
    }

    function end(address payable to) external {
        selfdestruct(to);
    }

    receive() external payable {}
}

/// Makes children and calls them, several in one transaction, and writes down how each call ended.
contract ChildFactory {
    struct Step {
        address to;
        uint256 value;
        bytes data;
    }

    event Ended(uint256 step, bool ok, bytes returned);
    event Seen(address who, bytes32 codeHash, uint256 codeSize, uint256 balance, bytes32 blockHash);

    uint256 public steps;

    function run(Step[] calldata list) public payable {
        for (uint256 i = 0; i < list.length; i++) {
            (bool ok, bytes memory returned) = list[i].to.call{value: list[i].value}(list[i].data);
            emit Ended(i, ok, returned);
            steps++;
        }
    }

    function runAndRevert(Step[] calldata list) external payable {
        run(list);
        revert("taken back");
    }

    function make(bytes32 salt) external payable returns (address) {
        return address(new Child{salt: salt, value: msg.value}());
    }

    function look(address who, uint256 number) external {
        emit Seen(who, who.codehash, who.code.length, who.balance, blockhash(number));
    }

    receive() external payable {}
}
