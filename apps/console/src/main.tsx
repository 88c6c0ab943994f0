import '@fontsource-variable/inter/index.css'
import 'virtual:antd.css'
import './theme/global.css'
import './theme/print.css'
import { createRoot } from 'react-dom/client'
import { startLanguage } from './i18n/index.ts'
import { recallOffset } from './kit/time.ts'
import { Console } from './shell/Console.tsx'

recallOffset()
// Not awaited at the top: a chunk of texts may import from the chunk of this module, and both would wait for each other.
void startLanguage().then(() => createRoot(document.getElementById('root') as HTMLElement).render(<Console />))
