import { SCREENS } from '../../shots/areas.ts'
import { describeScreens } from './usable-screens.ts'

await describeScreens(SCREENS.collectibles)
