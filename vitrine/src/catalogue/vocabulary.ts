// The names that differ between the contract and the platform, translated both ways. All others are equal.

/** the platform's name by ours */
export const vocabulary: Readonly<Record<string, string>> = {
  pairedVendorWatch: 'pairedAppleWatch',
  VENDOR_TV: 'APPLE_TV',
  VENDOR_WATCH: 'APPLE_WATCH',
}
