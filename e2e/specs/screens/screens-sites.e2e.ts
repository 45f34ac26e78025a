import { SCREENS } from '../../shots/fixtures/areas.ts'
import { describeScreens } from './usable-screens.ts'

await describeScreens(SCREENS.sites)
