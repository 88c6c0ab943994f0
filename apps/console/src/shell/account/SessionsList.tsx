/** The sessions of the user. */
import { Button, Modal, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { ownCalls, type OwnSession } from '@gatehouse/contract/identity/own'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import type { DialogProps } from './lateDialog.tsx'
import styles from './account.module.css'

export default function SessionsList({ open, close }: DialogProps) {
  const { t } = useTranslation('account')
  const sessions = useRead(ownCalls.sessions, {})
  const endOthers = useWrite(ownCalls.endOtherSessions, { done: t('sessions.othersEnded') })
  const others = (sessions.data ?? []).filter(({ current }) => !current).length
  return (
    <Modal
      open={open}
      title={t('sessions.title')}
      width={560}
      centered
      onCancel={close}
      footer={[
        <Button key="others" danger disabled={others === 0} loading={endOthers.pending} onClick={() => endOthers.run({})}>
          {t('sessions.endOthers')}
        </Button>,
        <Button key="close" type="primary" onClick={close}>
          {t('sessions.close')}
        </Button>,
      ]}
    >
      <p className={styles.hint}>{t('sessions.words')}</p>
      {sessions.isError && <ListError error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isPending && <Skeleton active paragraph={{ rows: 4 }} />}
      {sessions.data && (
        <ul className={styles.sessions}>
          {sessions.data.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Modal>
  )
}

function Row({ session }: { session: OwnSession }) {
  const { t } = useTranslation('account')
  const end = useWrite(ownCalls.endSession, { done: t('sessions.ended') })
  const { browser, system } = browserOf(session.agent)
  const name = browser && system ? t('sessions.browserOn', { browser, system }) : (browser ?? system ?? t('sessions.unknownBrowser'))
  return (
    <li>
      <div>
        <b title={session.agent}>{name}</b>
        <small>{[session.ip, session.parkName].filter((part) => part !== '').join(' · ')}</small>
        <small>
          {t('sessions.since')} <RelativeTime at={session.createdAt} /> · {t('sessions.seen')} <RelativeTime at={session.seenAt} />
        </small>
      </div>
      {session.current ? (
        <span className={styles.current}>{t('sessions.current')}</span>
      ) : (
        <Button
          size="small"
          loading={end.pending}
          aria-label={t('sessions.endOf', { name, ip: session.ip })}
          onClick={() => end.run({ params: { id: session.id } })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger/, 'WeChat'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

const named = (names: readonly [RegExp, string][], agent: string): string | undefined => names.find(([pattern]) => pattern.test(agent))?.[1]

/**
 * Return the browser and system of a `User-Agent` in familiar words, enough to tell the phone from the computer at the gate;
 * undefined where they are not recognised.
 */
const browserOf = (agent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: named(BROWSERS, agent),
  system: named(SYSTEMS, agent),
})
