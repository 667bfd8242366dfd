// The storefronts of the world with their currencies, and price points in them.
import { jsonId, row } from './rows.ts'

export const territoryCodes =
  `AFG AGO AIA ALB ARE ARG ARM ATG AUS AUT AZE BEL BEN BFA BGR BHR BHS BIH BLR BLZ BMU BOL BRA BRB BRN BTN BWA CAN
  CHE CHL CHN CIV CMR COD COG COL CPV CRI CYM CYP CZE DEU DMA DNK DOM DZA ECU EGY ESP EST FIN FJI FRA FSM GAB GBR
  GEO GHA GMB GNB GRC GRD GTM GUY HKG HND HRV HUN IDN IND IRL IRQ ISL ISR ITA JAM JOR JPN KAZ KEN KGZ KHM KNA KOR
  KWT LAO LBN LBR LBY LCA LKA LTU LUX LVA MAC MAR MDA MDG MDV MEX MKD MLI MLT MMR MNE MNG MOZ MRT MSR MUS MWI MYS
  NAM NER NGA NIC NLD NOR NPL NRU NZL OMN PAK PAN PER PHL PLW PNG POL PRT PRY QAT ROU RUS RWA SAU SEN SGP SLB SLE
  SLV SRB STP SUR SVK SVN SWE SWZ SYC TCA TCD THA TJK TKM TON TTO TUN TUR TWN TZA UGA UKR URY USA UZB VCT VEN VGB
  VNM VUT XKS YEM ZAF ZMB ZWE`.split(/\s+/)

// the territories with a currency of their own
const currencies = new Map(
  `ARE:AED AUS:AUD BGR:BGN BRA:BRL CAN:CAD CHE:CHF CHL:CLP CHN:CNY COL:COP CZE:CZK DNK:DKK EGY:EGP GBR:GBP HKG:HKD
  HUN:HUF IDN:IDR IND:INR ISR:ILS JPN:JPY KAZ:KZT KOR:KRW MEX:MXN MYS:MYR NOR:NOK NZL:NZD PAK:PKR PER:PEN PHL:PHP
  POL:PLN QAT:QAR ROU:RON RUS:RUB SAU:SAR SGP:SGD SWE:SEK THA:THB TUR:TRY TWN:TWD TZA:TZS VNM:VND ZAF:ZAR`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)

const euroCodes = new Set(
  `AND AUT BEL CYP DEU ESP EST FIN FRA GRC HRV IRL ITA LTU LUX LVA MCO MLT MNE NLD PRT SVK SVN XKS`.split(' '),
)

export const rows = territoryCodes.map((code) =>
  row('territories', code, { currency: currencies.get(code) ?? (euroCodes.has(code) ? 'EUR' : 'USD') }),
)

export const pricePointId = (subscription: string, territory: string, tier: number): string =>
  jsonId({ s: subscription, t: territory, p: String(10_000 + tier) })

export function pricePointRow(subscription: string, territory: string, tier: number) {
  const price = tier + 0.99
  return row('subscriptionPricePoints', pricePointId(subscription, territory, tier), {
    customerPrice: price.toFixed(2),
    proceeds: (price * 0.7).toFixed(2),
    proceedsYear2: (price * 0.85).toFixed(2),
    territory,
  })
}
