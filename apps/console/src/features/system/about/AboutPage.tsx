/** /about: version, documentation and licences. */
import { ReloadOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { installationCalls } from '@gatehouse/contract/system/installation'
import type { DataOf } from '@gatehouse/contract'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import mark from '../../../theme/gate.svg'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
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

const LOOK_EVERY_MS = 1500

/** The button that restarts the server and waits until it answers again. */
function RestartButton() {
  const { t } = useTranslation('system')
  const details = useRead(installationCalls.details, {})
  const [waitingSince, setWaitingSince] = useState<number>()
  const startedAt = details.data?.startedAt ?? 0
  const restart = useWrite(installationCalls.restart, { done: t('about.restarting'), onDone: () => setWaitingSince(startedAt) })
  const { refetch } = details
  useEffect(() => {
    if (waitingSince === undefined) return
    const timer = setInterval(() => {
      void refetch().then(({ data, isSuccess }) => {
        if (!isSuccess || data.startedAt === waitingSince) return
        setWaitingSince(undefined)
        toast('success', t('about.restarted'))
      })
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch, t, waitingSince])
  if (details.data?.restartable === false) return null
  const ask = (): void =>
    modal.confirm({
      title: t('about.restartTitle'),
      content: t('about.restartWords'),
      okText: t('about.restartNow'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => restart.run({}),
    })
  return (
    <Button icon={<ReloadOutlined />} loading={restart.pending || waitingSince !== undefined} disabled={!details.data} onClick={ask}>
      {waitingSince === undefined ? t('about.restart') : t('about.restarting')}
    </Button>
  )
}

type Part = DataOf<(typeof installationCalls)['licences']>['content'][number]

/** The components of the product, each with its licence. */
function Licences() {
  const { t } = useTranslation('system')
  const licences = useRead(installationCalls.licences, {})
  const [open, setOpen] = useState<Part>()
  return (
    <Section title={t('about.licences')}>
      <p className={styles.words}>{t('about.licencesWords')}</p>
      <DetailPage query={licences}>
        {({ content }) => (
          <table className={styles.licences}>
            <thead>
              <tr>
                <th scope="col">{t('about.part')}</th>
                <th scope="col">{t('about.version')}</th>
                <th scope="col">{t('about.licence')}</th>
              </tr>
            </thead>
            <tbody>
              {content.map((part) => (
                <tr key={part.name}>
                  <th scope="row">{part.name}</th>
                  <td>{part.version}</td>
                  <td>
                    <Button
                      type="link"
                      size="small"
                      style={{ paddingInline: 0 }}
                      title={t('about.showLicence', { name: part.name })}
                      onClick={() => setOpen(part)}
                    >
                      {part.licence}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </DetailPage>
      {open && (
        <Modal
          open
          centered
          width={720}
          title={t('about.showLicence', { name: open.name })}
          onCancel={() => setOpen(undefined)}
          footer={null}
        >
          <pre className={styles.licenceText}>{open.text || t('about.noText')}</pre>
        </Modal>
      )}
    </Section>
  )
}
