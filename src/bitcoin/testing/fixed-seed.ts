import fc from 'fast-check'

/** In CI every run tries the same random cases, so that a failure is due to the change; elsewhere each run tries others. */
if (process.env.CI) fc.configureGlobal({ seed: 20_261_121 })
