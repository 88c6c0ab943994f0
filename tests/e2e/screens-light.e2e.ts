/**
 * Every screen of the console in the light theme, in English, as the tests of features use them as well.
 * @module-tag extended
 */
import { walkScreens } from '../support/screen-walk.ts'

walkScreens({ theme: 'light', language: 'en' })
