/**
 * The hundred commonest passwords that are long enough, without those of one or two characters: the head of the list
 * of the package @zxcvbn-ts/language-common 4.1.3 (MIT), which is made of leaked passwords.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password 12345678 123456789 baseball football qwertyuiop 1234567890 superman 1qaz2wsx jennifer
  trustno1 sunshine iloveyou computer michelle starwars princess corvette 1234qwer internet samantha
  q1w2e3r4t5 maverick whatever mercedes steelers qwer1234 hardcore q1w2e3r4 midnight bigdaddy victoria
  marlboro password1 1q2w3e4r cocacola jordan23 asdfasdf danielle 12344321 jonathan liverpoo qwerty123
  passw0rd abcd1234 slipknot scorpion startrek asdfghjkl redskins qazwsxedc liverpool nicholas
  butthead dolphins qwertyui shithead metallic mountain benjamin elephant rush2112 1q2w3e4r5t creative
  garfield bullshit asdfghjk 1qazxsw2 december airborne brooklyn godzilla 4815162342 williams darkness
  blink182 platinum 01012011 11223344 lifehack 12qwaszx snowball nintendo november pakistan explorer
  redwings 789456123 lasvegas guinness christin asdf1234 babygirl michigan carolina alexande dickhead
  minecraft metallica kristina`.split(/\s+/),
)
