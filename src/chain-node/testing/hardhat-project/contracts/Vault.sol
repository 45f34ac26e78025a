// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "hardhat/console.sol";

/// Keeps what it was deployed with until a time, for the one who deployed it.
contract Vault {
    uint256 public immutable opensAt;
    address payable public owner;

    event Opened(uint256 amount, uint256 time);

    constructor(uint256 opensAt_) payable {
        require(opensAt_ > block.timestamp, "opens in the past");
        opensAt = opensAt_;
        owner = payable(msg.sender);
    }

    function open() external {
        require(block.timestamp >= opensAt, "still closed");
        require(msg.sender == owner, "not the owner");
        console.log("opened at", block.timestamp);
        emit Opened(address(this).balance, block.timestamp);
        (bool isPaid, ) = owner.call{value: address(this).balance}("");
        require(isPaid, "not paid");
    }
}
