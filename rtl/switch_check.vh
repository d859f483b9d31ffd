// SPDX-License-Identifier: Apache-2.0
// switch_check.vh - refuses parameters out of range, for switch.v.
//
// Verilog-2005 has no $error at elaboration.  A module that does not exist stops every tool, and
// its name says why; the switch is left out then (GOOD), so that no other message comes first.
  localparam integer HEAD_W     = 4 * LEVELS + $clog2(LEVELS + 1) + ((PATH == `FATFLY_FP) ? LEVELS - 1 : 0);
  localparam integer BAD_VCS    = (VCS != 1 && VCS != 2 && VCS != 4) ? 1 : 0;
  localparam integer BAD_DEPTH  = (DEPTH < 1 || DEPTH > 16) ? 1 : 0;
  localparam integer BAD_FLIT_W = (FLIT_W < 16 || FLIT_W > 64) ? 1 : 0;
  localparam integer BAD_PATH   = (PATH < 0 || PATH >= `FATFLY_PATHS) ? 1 : 0;
  localparam integer BAD_SCAN   = (SCAN < 0 || SCAN >= `FATFLY_SCANS) ? 1 : 0;
  localparam integer BAD_LEVELS = (LEVELS < 1 || LEVELS > 10) ? 1 : 0;
  localparam integer BAD_LEVEL  = (LEVEL < 1 || LEVEL > LEVELS) ? 1 : 0;
  localparam integer BAD_IMPL   = (IMPL < 0 || IMPL > 2) ? 1 : 0;
  localparam integer BAD_FAST   = (IMPL == `FATFLY_FAST && HAS_FAST == 0) ? 1 : 0;
  localparam integer BAD  = BAD_VCS + BAD_DEPTH + BAD_FLIT_W + BAD_PATH + BAD_SCAN + BAD_LEVELS +
                            BAD_LEVEL + BAD_IMPL;
  localparam integer GOOD = (BAD == 0 && HEAD_W <= FLIT_W && BAD_FAST == 0) ? 1 : 0;
  generate
    if (BAD_VCS != 0) begin : g_bad_vcs
      fatfly_error_VCS_must_be_1_2_or_4 u_error ();
    end
    if (BAD_DEPTH != 0) begin : g_bad_depth
      fatfly_error_DEPTH_must_be_1_to_16 u_error ();
    end
    if (BAD_FLIT_W != 0) begin : g_bad_flit_w
      fatfly_error_FLIT_W_must_be_16_to_64 u_error ();
    end
    if (BAD_PATH != 0) begin : g_bad_path
      fatfly_error_PATH_must_be_0_to_4 u_error ();
    end
    if (BAD_SCAN != 0) begin : g_bad_scan
      fatfly_error_SCAN_must_be_0_to_4 u_error ();
    end
    if (BAD_LEVELS != 0) begin : g_bad_levels
      fatfly_error_LEVELS_must_be_1_to_10 u_error ();
    end else if (BAD_LEVEL != 0) begin : g_bad_level
      fatfly_error_LEVEL_must_be_1_to_LEVELS u_error ();
    end
    if (BAD_IMPL != 0) begin : g_bad_impl
      fatfly_error_IMPL_must_be_0_to_2 u_error ();
    end
    if (BAD == 0 && HEAD_W > FLIT_W) begin : g_bad_head
      fatfly_error_FLIT_W_is_too_small_for_a_head u_error ();
    end
    if (BAD == 0 && HEAD_W <= FLIT_W && BAD_FAST != 0) begin : g_bad_fast
      fatfly_error_no_fast_switch_for_these_parameters u_error ();
    end
  endgenerate
