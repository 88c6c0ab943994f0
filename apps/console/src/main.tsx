import '@fontsource-variable/inter/index.css'
import 'virtual:antd.css'
import './theme/global.css'
import { createRoot } from 'react-dom/client'
import { preferredLanguage, showLanguage } from './i18n/index.ts'
import { Console } from './shell/Console.tsx'

await showLanguage(preferredLanguage())
createRoot(document.getElementById('root') as HTMLElement).render(<Console />)
