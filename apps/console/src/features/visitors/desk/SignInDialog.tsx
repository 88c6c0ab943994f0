/** The dialog that signs a visitor in, and the one that completes it where certificates are checked. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { code, PERSON_NUMBER_MAX, type FieldIssue, type InputOf } from '@gatehouse/contract'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { toast } from '../../../kit/feedback.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { CertificateField } from '../form/CertificateField.tsx'
import { ChangedMeanwhile } from '../ChangedMeanwhile.tsx'
import { WatchListMark } from './visitMarks.tsx'
import styles from './desk.module.css'

type Values = Partial<Omit<InputOf<typeof visitorCalls.signIn.body>, 'visit'>>

const missing = (path: string): FieldIssue => ({ path, rule: 'required' })
const WIDTH = 480
const FACE = 96

export default function SignInDialog({ editor, visit }: { editor: Editor<VisitRow>; visit: VisitRow }) {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const configuration = useRead(visitorConfigurationCalls.read, {})
  const { id, name, status, cardNumber } = visit
  const isVerification = status === visitorStatus.awaitingVerification
  const asksCertificate = configuration.data?.certificateRequired === true || isVerification
  const needsCard = configuration.data?.forcedCardIssue === true && cardNumber === ''
  const format = configuration.data?.cardFormat ?? cardNumberFormat.decimal
  return (
    <FormDialog<typeof visitorCalls.signIn, Values>
      call={visitorCalls.signIn}
      editor={editor}
      title={t(isVerification ? 'verifyOf' : 'signInOf', { name })}
      submit={t(isVerification ? 'verify' : 'signIn')}
      initial={loadedFrom(configuration, () => ({}))}
      hidden={{ visit: { id, status } }}
      also={({ cardNumber: typed, certificateInfo }) => [
        ...(needsCard && !typed?.trim() ? [missing('cardNumber')] : []),
        ...(isVerification && !certificateInfo ? [missing('certificateInfo')] : []),
      ]}
      prepare={({ cardNumber: typed, ...body }) =>
        Promise.resolve({ ...body, ...(typed ? { cardNumber: typed, cardNumberFormat: format } : {}) })
      }
      // The visit itself is not a field.
      placed={(path) => (path === 'id' ? '' : path)}
      hindered={(refusal) => (refusal.code === code.visitorStatusChanged ? <ChangedMeanwhile refusal={refusal} /> : undefined)}
      done=""
      draft={`visit.signIn.${id}`}
      unkept={['certificateInfo', 'cardNumber']}
      onDone={(answer) =>
        toast('success', t(answer.status === visitorStatus.awaitingVerification ? 'done.awaiting' : 'done.signedIn', { name }))
      }
      width={WIDTH}
    >
      <div className={styles.arriving}>
        <Portrait name={name} url={visit.facePhoto || visit.faceThumbnail} size={FACE} />
        <div>
          <b>{name}</b>
          {visit.visiteeName !== '' && <p>{t('hostIs', { name: visit.visiteeName })}</p>}
          {visit.peerCount > 0 && <p>{t('companionCount', { count: visit.peerCount })}</p>}
          <WatchListMark visit={visit} />
        </div>
      </div>
      {asksCertificate && (
        <Form.Item
          name="certificateInfo"
          label={t('certificate')}
          required={isVerification}
          {...(!isVerification && { extra: t('certificateLater') })}
        >
          <CertificateField />
        </Form.Item>
      )}
      {!isVerification && (
        <Form.Item
          name="cardNumber"
          label={t('cardNumber')}
          required={needsCard}
          extra={
            cardNumber === '' ? t('cardFormatHint', { format: label(cardNumberFormat, format) }) : t('cardIssued', { number: cardNumber })
          }
        >
          <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
        </Form.Item>
      )}
    </FormDialog>
  )
}
