/** /about: what runs here, where to read on, and whose work it stands on. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import mark from '../../../theme/gate.svg'
import { Licences } from './Licences.tsx'
import { RestartButton } from './RestartButton.tsx'
import styles from '../system.module.css'

export default function AboutPage() {
  const { t } = useTranslation('system')
  const mayRun = useMayOpen({ permission: 'system.base', condition: 'installation' })
  const maySeeAddresses = useMayOpen({ permission: 'system.domainName', condition: 'installation' })
  const info = useRead(installationCalls.info, {})
  return (
    <Screen title={t('shell:title.about')} actions={mayRun && <RestartButton />}>
      <DetailPage query={info}>
        {({ version, lite, privatised, zone, mail }) => (
          <>
            <div className={styles.about}>
              <img src={mark} alt="" />
              <div>
                <b>
                  {t('shell:product')} {version}
                </b>
                <p>{t('about.words')}</p>
              </div>
            </div>
            <div className={styles.links}>
              <a href="/docs" target="_blank" rel="noreferrer">
                {t('about.reference')}
              </a>
              <a href="/openapi.json" target="_blank" rel="noreferrer">
                {t('about.openapi')}
              </a>
              {mayRun && <Link to={path('messageOutbox')}>{t('about.outbox')}</Link>}
            </div>
            <Facts
              facts={[
                [
                  t('about.kind'),
                  `${lite ? t('about.lite') : t('about.full')} · ${privatised ? t('about.privatised') : t('about.service')}`,
                ],
                [t('about.zone'), zone],
                [t('about.mail'), mail ? t('about.mailOn') : t('about.mailOff')],
              ]}
            />
          </>
        )}
      </DetailPage>
      {maySeeAddresses && <Installation />}
      <Licences />
    </Screen>
  )
}

function Installation() {
  const { t } = useTranslation('system')
  const details = useRead(installationCalls.details, {})
  const uptime = (seconds: number): string => {
    const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
    if (days > 0) return t('about.uptimeDays', { days, hours })
    return hours > 0 ? t('about.uptimeHours', { hours, minutes }) : t('about.uptimeMinutes', { minutes })
  }
  return (
    <Section title={t('about.platform')}>
      <DetailPage query={details}>
        {(found) => (
          <Facts
            facts={[
              [t('about.runtime'), `${found.runtime}, ${found.platform}`],
              [t('about.database'), found.database],
              [t('about.engine'), `${shownName(found.engine.name)} (${found.engine.modelId})`],
              [t('about.uptime'), uptime(found.uptime)],
              [t('about.address'), found.address ?? t('about.addressNone')],
            ]}
          />
        )}
      </DetailPage>
    </Section>
  )
}
