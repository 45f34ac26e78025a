/** A published key file with what opens it. */
export interface KeyFileVector {
  readonly name: string
  readonly password: string
  /** In hexadecimal; some are shorter than 32 bytes. */
  readonly privateKey: string
  readonly file: object
}

const DEFINITION_KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const DEFINITION_ID = '3198bc9c-6672-5ab3-d995-4942343ae5b6'

/**
 * https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage, "Test vectors". The one for scrypt that
 * stands there today contradicts itself: no scrypt makes its derived key of its salt. The one that stood there before is
 * ethereum/tests' `test2` and geth's `wikipage_test_vector_scrypt`.
 */
export const DEFINITION_VECTORS: readonly KeyFileVector[] = [
  {
    name: 'the definition, pbkdf2',
    password: 'testpassword',
    privateKey: DEFINITION_KEY,
    file: {
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
        ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
        kdf: 'pbkdf2',
        kdfparams: {
          c: 262144,
          dklen: 32,
          prf: 'hmac-sha256',
          salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
        },
        mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
      },
      id: DEFINITION_ID,
      version: 3,
    },
  },
]

/** https://github.com/ethereum/tests, KeyStoreTests/basic_tests.json. */
export const ETHEREUM_TESTS_VECTORS: readonly KeyFileVector[] = [
  {
    name: 'ethereum/tests, test2: scrypt with n above what RFC 7914 has for r',
    password: 'testpassword',
    privateKey: DEFINITION_KEY,
    file: {
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
        ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          n: 262144,
          r: 1,
          p: 8,
          salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
        },
        mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
      },
      id: DEFINITION_ID,
      version: 3,
    },
  },
  {
    name: 'ethereum/tests, python_generated_test_with_odd_iv',
    password: 'foo',
    privateKey: '01'.repeat(32),
    file: {
      version: 3,
      crypto: {
        ciphertext: 'ee75456c006b1e468133c5d2a916bacd3cf515ced4d9b021b5c59978007d1e87',
        version: 1,
        kdf: 'pbkdf2',
        kdfparams: {
          dklen: 32,
          c: 262144,
          prf: 'hmac-sha256',
          salt: '504490577620f64f43d73f29479c2cf0',
        },
        mac: '196815708465de9af7504144a1360d08874fc3c30bb0e648ce88fbc36830d35d',
        cipherparams: { iv: '514ccc8c4fb3e60e5538e0cf1e27c233' },
        cipher: 'aes-128-ctr',
      },
      id: '98d193c7-5174-4c7c-5345-c1daf95477b5',
    },
  },
  {
    name: 'ethereum/tests, evilnonce',
    password: 'bar',
    privateKey: '02'.repeat(32),
    file: {
      version: 3,
      crypto: {
        ciphertext: 'd69313b6470ac1942f75d72ebf8818a0d484ac78478a132ee081cd954d6bd7a9',
        cipherparams: { iv: 'ffffffffffffffffffffffffffffffff' },
        kdf: 'pbkdf2',
        kdfparams: {
          dklen: 32,
          c: 262144,
          prf: 'hmac-sha256',
          salt: 'c82ef14476014cbf438081a42709e2ed',
        },
        mac: 'cf6bfbcc77142a22c4a908784b4a16f1023a1d0e2aff404c20158fa4f1587177',
        cipher: 'aes-128-ctr',
        version: 1,
      },
      id: 'abb67040-8dbe-0dad-fc39-2b082ef0ee5f',
    },
  },
  {
    name: 'ethereum/tests, mycrypto',
    password: 'foobartest121',
    privateKey: '05a4d3eb46c742cb8850440145ce70cbc80b59f891cf5f50fd3e9c280b50c4e4',
    file: {
      version: 3,
      address: '460121576cc7df020759730751f92bd62fd78dd6',
      crypto: {
        ciphertext: '54ae683c6287fa3d58321f09d56e26d94e58a00d4f90bdd95782ae0e4aab618b',
        cipherparams: { iv: '681679cdb125bba9495d068b002816a4' },
        cipher: 'aes-128-ctr',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          salt: 'c3407f363fce02a66e3c4bf4a8f6b7da1c1f54266cef66381f0625c251c32785',
          n: 8192,
          r: 8,
          p: 1,
        },
        mac: 'dea6bdf22a2f522166ed82808c22a6311e84c355f4bbe100d4260483ff675a46',
      },
      id: '0eb785e0-340a-4290-9c42-90a11973ee47',
    },
  },
]

/** https://github.com/ethereum/go-ethereum, accounts/keystore/testdata/{v3_test_vector,very-light-scrypt}.json. */
export const GETH_VECTORS: readonly KeyFileVector[] = [
  {
    name: 'geth, 31_byte_key',
    password: 'foo',
    privateKey: 'fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35',
    file: {
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: 'e0c41130a323adc1446fc82f724bca2f' },
        ciphertext: '9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          n: 2,
          r: 8,
          p: 1,
          salt: '711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63',
        },
        mac: 'd5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5',
      },
      id: 'fecfc4ce-e956-48fd-953b-30f8b52ed66c',
      version: 3,
    },
  },
  {
    name: 'geth, 30_byte_key',
    password: 'foo',
    privateKey: '81c29e8142bb6a81bef5a92bda7a8328a5c85bb2f9542e76f9b0f94fc018',
    file: {
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '3ca92af36ad7c2cd92454c59cea5ef00' },
        ciphertext: '108b7d34f3442fc26ab1ab90ca91476ba6bfa8c00975a49ef9051dc675aa',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          n: 2,
          r: 8,
          p: 1,
          salt: 'd0769e608fb86cda848065642a9c6fa046845c928175662b8e356c77f914cd3b',
        },
        mac: '75d0e6759f7b3cefa319c3be41680ab6beea7d8328653474bd06706d4cc67420',
      },
      id: 'a37e1559-5955-450d-8075-7b8931b392b2',
      version: 3,
    },
  },
]

/** The empty passphrase opens it. */
export const GETH_VERY_LIGHT = {
  address: '45dea0fb0bba44f4fcf290bba71fd57d7117cbb8',
  crypto: {
    cipher: 'aes-128-ctr',
    ciphertext: 'b87781948a1befd247bff51ef4063f716cf6c2d3481163e9a8f42e1f9bb74145',
    cipherparams: { iv: 'dc4926b48a105133d2f16b96833abf1e' },
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 2,
      p: 1,
      r: 8,
      salt: '004244bbdc51cadda545b1cfa43cff9ed2ae88e08c61f1479dbb45410722f8f0',
    },
    mac: '39990c1684557447940d4c69e06b1b82b2aceacb43f284df65c956daf3046b85',
  },
  id: 'ce541d8d-c79b-40f8-9f8c-20f59616faba',
  version: 3,
}
