/**
 * The key that signs the root of our own DNS, in the files of BIND. It is no secret: wallets trust it on regtest alone, by the digest
 * in `../root-anchors.ts`.
 */
export const ROOT_KEY = {
  name: 'K.+013+03247',
  public:
    '. IN DNSKEY 257 3 13 arAR9vw4jpKiBTxPLjCMfL91+YtmnjqmJ3RVr227sfVGOC5rGKbaw6g0 pmptkkfc1NvU+aEIqruBBcIC47zolw==\n',
  private:
    'Private-key-format: v1.3\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: o4Tr+3fR2qgAifhNXe4Uh04wLXD/ZeU5gpCsmA1QTiE=\nPublish: 20200101000000\nActivate: 20200101000000\n',
}
