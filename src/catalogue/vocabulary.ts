// The contract's neutral words and the platform's own, translated both ways by this one table. All other words are equal.

/** ours -> the platform's */
export const vocabulary: Readonly<Record<string, string>> = {
  pairedVendorWatch: 'pairedAppleWatch',
  VENDOR_TV: 'APPLE_TV',
  VENDOR_WATCH: 'APPLE_WATCH',
}
