/** Every screen of the console in the dark theme, in Chinese. */
import { walkScreens } from '../support/screen-walk.ts'

walkScreens({ theme: 'dark', language: 'zh-CN' })
