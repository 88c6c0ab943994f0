/** The consent of a person to recognition by face: its state, its history, and the buttons that change it. */
import { Button } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import { privacyCalls, type ConsentEntry } from '@gatehouse/contract/privacy/calls'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useMayCall } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './privacy.module.css'

const STATUS = { none: 'off', given: 'ok', withdrawn: 'wait' } as const

export function ConsentSection({ personId, title }: { personId: string; title: string }) {
  const consents = useRead(privacyCalls.consents, { params: { id: personId } })
  if (consents.data !== undefined) return <Consent personId={personId} title={title} history={consents.data} />
  return (
    <Section title={title}>
      <DetailPage query={consents}>{() => null}</DetailPage>
    </Section>
  )
}

function Consent({ personId, title, history }: { personId: string; title: string; history: ConsentEntry[] }) {
  const { t } = useTranslation('privacy')
  const { data: policy } = useRead(privacyCalls.policy, {})
  const note = useWrite(privacyCalls.noteConsent, { done: t('consent.noted') })
  const mayNote = useMayCall(privacyCalls.noteConsent)
  const state = history[0]?.state ?? 'none'

  function ask(to: 'given' | 'withdrawn'): void {
    let words = ''
    modal.confirm({
      title: t(`consent.ask.${to}`),
      width: 480,
      content: (
        <div className={styles.erase}>
          <p>{t(`consent.means.${to}`)}</p>
          <label>
            <span>{t('consent.note')}</span>
            <TextArea rows={2} maxLength={TEXT_MAX} onChange={({ target }) => (words = target.value)} />
          </label>
        </div>
      ),
      okText: t(`consent.do.${to}`),
      okButtonProps: { danger: to === 'withdrawn' },
      cancelText: t('common:cancel'),
      onOk: () => note.send({ params: { id: personId }, body: { state: to, note: words } }),
    })
  }

  const words = t(policy?.consentRequired === true ? `consent.words.required.${state}` : `consent.words.free.${state}`)
  // Only a given consent can be withdrawn.
  const button = mayNote && (
    <Button danger={state === 'given'} onClick={() => ask(state === 'given' ? 'withdrawn' : 'given')}>
      {t(state === 'given' ? 'consent.do.withdrawn' : 'consent.do.given')}
    </Button>
  )
  const tag = <StatusTag status={STATUS[state]}>{t(`consent.state.${state}`)}</StatusTag>
  return (
    <Section
      title={title}
      extra={button}
      {...(history.length === 0 && {
        empty: (
          <>
            {tag} {words}
          </>
        ),
      })}
    >
      <div className={styles.consent}>
        <div className={styles.buttons}>{tag}</div>
        <p>{words}</p>
        <ol className={styles.history}>
          {history.map((entry) => (
            <li key={entry.id}>
              <StatusTag status={STATUS[entry.state]}>{t(`consent.state.${entry.state}`)}</StatusTag>
              <RelativeTime at={entry.at} />
              <small>
                {entry.notedBy === ''
                  ? t(`consent.channel.${entry.channel}`)
                  : t('consent.by', { name: entry.notedBy, channel: t(`consent.channel.${entry.channel}`) })}
              </small>
              {entry.note !== '' && <small>{entry.note}</small>}
            </li>
          ))}
        </ol>
      </div>
    </Section>
  )
}
