/** The page that a self-enrolment link opens, on a person's phone: no session, no router, no component library. */
import './enrolment.css'
import './camera.css'
import { createRoot } from 'react-dom/client'
import { cssVariablesOf } from '../../theme/tokens.ts'
import { EnrolmentPage } from './EnrolmentPage.tsx'
import { speak } from './texts.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')
function paint(): void {
  for (const [name, value] of Object.entries(cssVariablesOf(dark.matches ? 'dark' : 'light')))
    document.documentElement.style.setProperty(name, value)
}
paint()
dark.addEventListener('change', paint)

/** After the #: it is sent only in calls, never as part of an address. */
const token = location.hash.slice(1)
// Another link in the same tab opens another page.
addEventListener('hashchange', () => location.reload())
// Not awaited at the top, as at the console's own start.
void speak(navigator.language).then(() =>
  createRoot(document.getElementById('root') as HTMLElement).render(<EnrolmentPage token={token} />),
)
