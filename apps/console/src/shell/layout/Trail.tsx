/** Home, the group, the list, the page: each that has an address leads there. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addresses } from '../../paths.ts'
import { screens, type ScreenName } from '../../screens.ts'
import { useKeptAddress } from './PageStack.tsx'
import { useTitles } from './useTitles.ts'
import styles from './layout.module.css'

export function Trail({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  const { title, group } = useTitles()
  const addressOf = useKeptAddress()
  if (!current) return <span className={styles.trail} />
  const { parent, menu } = screens[current]
  const inGroup = menu ?? (parent && screens[parent].menu)
  const link = (name: ScreenName) => (
    <li key={name}>
      <Link to={addressOf(addresses[name])}>{title(name)}</Link>
    </li>
  )
  return (
    <nav className={styles.trail} aria-label={t('trail')}>
      <ol>
        {current !== 'home' && link('home')}
        {inGroup && inGroup !== 'top' && <li>{group(inGroup)}</li>}
        {parent && link(parent)}
        <li aria-current="page">{title(current)}</li>
      </ol>
    </nav>
  )
}
