/** Every screen of the console in the light theme, in English. */
import { walkScreens } from '../support/screen-walk.ts'

walkScreens({ theme: 'light', language: 'en' })
