/** The page that links for visitors and hosts open, on a phone: no session, no router, no component library. */
import '../enrolment/enrolment.css'
import '../enrolment/camera.css'
import './visit.css'
import { createRoot } from 'react-dom/client'
import { cssVariablesOf } from '../../theme/tokens.ts'
import { speak } from './texts.ts'
import { VisitPage } from './VisitPage.tsx'

const dark = matchMedia('(prefers-color-scheme: dark)')
function paint(): void {
  for (const [name, value] of Object.entries(cssVariablesOf(dark.matches ? 'dark' : 'light')))
    document.documentElement.style.setProperty(name, value)
}
paint()
dark.addEventListener('change', paint)

/** After the #: it is sent only in calls, never as part of an address. */
const [kind = '', token = ''] = location.hash.slice(1).split('.')
// Another link in the same tab opens another page, and so does the link of a visit that was just made.
addEventListener('hashchange', () => location.reload())
// Not awaited at the top, as at the console's own start.
void speak(navigator.language).then(() =>
  createRoot(document.getElementById('root') as HTMLElement).render(<VisitPage kind={kind} token={token} />),
)
