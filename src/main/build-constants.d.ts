/** Address of the releases; empty unless a release is built. */
declare const __UNDERSTUDY_RELEASES__: string;
