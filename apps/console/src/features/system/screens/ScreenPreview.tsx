/** The data screen in small: which block stands where, in the theme's colours. */
import { useTranslation } from 'react-i18next'
import type { ScreenBlock, ScreenFields } from '@gatehouse/contract/system/screens'
import styles from './settings.module.css'

const SIDE: readonly ScreenBlock[] = ['figures', 'people', 'devices']

export function ScreenPreview({
  settings: { title, subtitle, theme, blocks, background },
  park,
}: {
  settings: ScreenFields
  park: string
}) {
  const { t } = useTranslation('system')
  const block = (name: ScreenBlock) =>
    blocks.includes(name) && (
      <span key={name} data-block={name}>
        {t(`screens.block.${name}`)}
      </span>
    )
  const side = SIDE.filter((name) => blocks.includes(name))
  return (
    <figure>
      <div className={styles.wall} data-theme={theme} style={background ? { backgroundImage: `url("${background}")` } : undefined}>
        <p>
          <b>{title || park}</b>
          {subtitle && <small>{subtitle}</small>}
        </p>
        <div>
          {side.length > 0 && <div>{side.map(block)}</div>}
          {block('curve')}
          {block('latest')}
        </div>
      </div>
      <figcaption>{t('screens.settings.preview')}</figcaption>
    </figure>
  )
}
