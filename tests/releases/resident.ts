/** A fictitious person with all fields filled in; their face is drawn. */
export const RESIDENT = {
  name: 'Ada Lovelace',
  workNumber: 'RELEASE-1',
  phone: '13800138000',
  gender: 2,
  cardNumber: '4711',
  idType: 'passport',
  idNumber: 'P-1815-1210',
  nationality: 'British',
  birthday: '1815-12-10',
  personalPassword: '864202',
  faceConsent: true,
  remark: 'Writes programs',
} as const
